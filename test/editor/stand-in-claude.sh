#!/bin/sh
# Stands in for an agent that answers one prompt: keeps what it was given, and reports as Claude Code does.
echo "$@" > "$HOME/arguments"
cat > "$HOME/prompt"
printf '%s\n' '{"result":"## Strategy\nI read the renderer before I changed it.\n## Operations\n- **read** | Inputs: path=src/tui.ts | Outcome: success\n## Status\nCOMPLETE, says the command.","is_error":false,"usage":{"input_tokens":900,"output_tokens":60}}'
