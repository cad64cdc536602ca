#compdef NAME
# Completion of NAME for zsh.
_NAME() {
	local -a lines
	lines=("${(@f)$("$words[1]" "${(@)words[2,CURRENT]}" --generate-bash-completion 2>/dev/null)}")
	lines=("${(@)${(@)lines//:/\\:}/$'\t'/:}")
	[[ -n "$lines[1]" ]] && _describe NAME lines || _files
}
if [[ "$funcstack[1]" = _NAME ]]; then
	_NAME "$@"
else
	compdef _NAME NAME
fi
