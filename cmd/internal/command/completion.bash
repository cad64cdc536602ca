# Completion of NAME for bash.
_NAME() {
	local IFS=$'\n'
	COMPREPLY=($("$1" "${COMP_WORDS[@]:1:COMP_CWORD}" --generate-bash-completion 2>/dev/null | cut -f1))
}
complete -o default -F _NAME NAME
