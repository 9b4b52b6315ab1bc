import { describe, expect, it } from 'vitest';
import { commandWindow } from '../../../extension/models/command/command-window';
import { commandNamed, customCommand } from '../../../extension/models/command/presets';
import { contextWindowOf } from '../../../extension/sessions/model-windows';
import { promptRoom } from '../../../extension/summarizers/model/room';

const windowOf = (id: string, model: string | null = null) =>
  commandWindow(commandNamed(id, []), model, contextWindowOf);
const windowOfLine = (...line: string[]) => commandWindow(customCommand(line), null, contextWindowOf);

describe('the window of a command', () => {
  it('is the one of the named model, else of what the agent chooses by itself', () => {
    expect(windowOf('claude')).toBe(200_000);
    expect(windowOf('claude', 'claude-sonnet-4-6')).toBe(1_000_000);
    expect(windowOf('codex', 'gpt-4o')).toBe(128_000);
    expect(windowOf('pi', 'a-model-of-my-own')).toBe(128_000);
  });

  it('of a line of the person’s own is read from the line, and otherwise unknown', () => {
    expect(windowOfLine('llm', '-m', 'gpt-4o')).toBe(128_000);
    expect(windowOfLine('llm', '--model=gemini-2.5-flash')).toBe(1_048_576);
    expect(windowOfLine('/usr/local/bin/claude', '-p')).toBe(200_000);
    expect(windowOfLine('ollama', 'run', 'small')).toBeNull();
  });

  it('lets Claude Code, Codex and Gemini CLI read a session of 97,000 tokens in one prompt', () => {
    for (const id of ['claude', 'codex', 'gemini']) expect(promptRoom(windowOf(id) ?? 0)).toBeGreaterThan(97_000);
  });
});
