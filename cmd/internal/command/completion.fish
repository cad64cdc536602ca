# Completion of NAME for fish.
function __NAME_complete
	set -l words (commandline -opc)
	$words[1] $words[2..-1] (commandline -ct) --generate-bash-completion 2>/dev/null
end
complete -c NAME -n 'count (__NAME_complete)' -f -a '(__NAME_complete)'
