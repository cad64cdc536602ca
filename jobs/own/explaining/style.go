package explaining

import (
	"fmt"
	"io"
	"math"
)

// vizmap is a style of Cytoscape 3 for the attributes of nodeKeys: colours, shapes and sizes as in the picture.
const vizmap = `<?xml version="1.0" encoding="UTF-8"?>
<vizmap documentVersion="3.0">
  <visualStyle name="graphda">
    <node>
      <dependency name="nodeSizeLocked" value="true"/>
      <visualProperty name="NODE_LABEL" default="">
        <passthroughMapping attributeName="name" attributeType="string"/>
      </visualProperty>
      <visualProperty name="NODE_FILL_COLOR" default="#ffffff">
        <discreteMapping attributeName="role" attributeType="string">
          <discreteMappingEntry attributeValue="raises" value="#cc3311"/>
          <discreteMappingEntry attributeValue="lowers" value="#7fb2dd"/>
          <discreteMappingEntry attributeValue="connector" value="#d0d0d0"/>
        </discreteMapping>
      </visualProperty>
      <visualProperty name="NODE_SHAPE" default="ELLIPSE">
        <discreteMapping attributeName="role" attributeType="string">
          <discreteMappingEntry attributeValue="lowers" value="RECTANGLE"/>
        </discreteMapping>
      </visualProperty>
      <visualProperty name="NODE_SIZE" default="25.0">
        <continuousMapping attributeName="weight" attributeType="float">
          <continuousMappingPoint attrValue="-%[1]g" lesserValue="80.0" equalValue="80.0" greaterValue="80.0"/>
          <continuousMappingPoint attrValue="0.0" lesserValue="25.0" equalValue="25.0" greaterValue="25.0"/>
          <continuousMappingPoint attrValue="%[1]g" lesserValue="80.0" equalValue="80.0" greaterValue="80.0"/>
        </continuousMapping>
      </visualProperty>
    </node>
  </visualStyle>
</vizmap>
`

// style writes the style of the subgraph's GraphML, by its largest weight.
func (s *Subgraph) style(w io.Writer) error {
	largest := 0.0
	for i := range s.Nodes {
		largest = max(largest, math.Abs(s.Nodes[i].Weight))
	}
	_, err := fmt.Fprintf(w, vizmap, largest)
	return err
}
