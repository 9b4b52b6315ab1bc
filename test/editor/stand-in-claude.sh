#!/bin/sh
# Stands in for an agent that answers one prompt: keeps what it was given, and reports as Claude Code does.
echo "$@" > "$HOME/arguments"
# Several run at once, each with a prompt of its own.
prompt="$HOME/prompt-$$"
cat > "$prompt"
cp "$prompt" "$HOME/prompt"
answer() {
  printf '%s\n' "{\"result\":\"$1\",\"is_error\":false,\"usage\":{\"input_tokens\":900,\"output_tokens\":60}}"
  exit 0
}
# A question comes last; what it is asked about comes before it.
case "$(tail -c 600 "$prompt")" in
  *'your current goal'*) answer '{\"goal\": \"render overlays without flicker\"}' ;;
  *'What constraints'*)
    grep -q '^\[SUMMARIZED\]' "$prompt" && answer '{\"constraints\": []}'
    answer '{\"constraints\": [\"no inline imports\"]}' ;;
  *'What will you do next'*) answer 'I run the tests of the overlay.' ;;
  *'Which colour'*) answer 'I am sorry, I cannot say.' ;;
esac
printf '%s\n' '{"result":"## Strategy\nI read the renderer before I changed it.\n## Operations\n- **read** | Inputs: path=src/tui.ts | Outcome: success\n## Status\nCOMPLETE, says the command.","is_error":false,"usage":{"input_tokens":900,"output_tokens":60}}'
