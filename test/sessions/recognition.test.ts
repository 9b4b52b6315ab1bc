import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { lineFormats } from '../../extension/sessions/adapters';
import { everySample, moreSamples } from './samples';

function recognisedBy(head: readonly string[]): string[] {
  return lineFormats.filter((adapter) => adapter.recognises(head)).map((adapter) => adapter.agent);
}

function headOf(file: string): string[] {
  return readFileSync(file, 'utf8').split('\n').slice(0, 50);
}

describe('a file is recognized by its first lines', () => {
  it.each(everySample())('$name', ({ file, format }) => {
    expect(recognisedBy(headOf(file))).toEqual([format.agent]);
  });

  it('a file with nothing but state in its first lines is recognized as Claude Code’s', () => {
    expect(recognisedBy(['{"type":"file-history-snapshot","messageId":"m","snapshot":{}}'])).toEqual(['claude-code']);
    expect(recognisedBy(['{"type":"queue-operation","operation":"enqueue","sessionId":"s"}'])).toEqual(['claude-code']);
  });

  it('a file is recognized by its first lines as of VS Code, whether it is a log of changes or a whole chat', () => {
    expect(recognisedBy(['', '{"kind":0,"v":{"version":3,"sessionId":"s","requests":[]}}'])).toEqual(['vscode-chat']);
    expect(recognisedBy(['{"version":3,"requests":[],"sessionId":"s"}'])).toEqual(['vscode-chat']);
    expect(recognisedBy(['{', '  "responderUsername": "Copilot",', '  "requests": ['])).toEqual(['vscode-chat']);
  });

  it('a file is recognized by its first lines as of Qwen Code, whose rows are like those of Claude Code', () => {
    const row = '"uuid":"u","parentUuid":null,"sessionId":"s"';
    expect(recognisedBy([`{${row},"type":"user","message":{"role":"user","parts":[{"text":"hi"}]}}`])).toEqual([
      'qwen-code',
    ]);
    expect(recognisedBy([`{${row},"type":"system","subtype":"session_source","systemPayload":{}}`])).toEqual([
      'qwen-code',
    ]);
  });

  it('a file is recognized by its first lines as of Gemini CLI, whether it is a log or a whole session', () => {
    expect(recognisedBy(['{"sessionId":"s","projectHash":"h","startTime":"t","kind":"main"}'])).toEqual(['gemini-cli']);
    expect(recognisedBy(['{', '  "sessionId": "s",', '  "projectHash": "h",', '  "messages": ['])).toEqual([
      'gemini-cli',
    ]);
  });

  it('a file is recognized by its first lines as of Codex', () => {
    expect(recognisedBy(['{"timestamp":"t","type":"session_meta","payload":{"id":"x"}}'])).toEqual(['codex']);
  });

  it('a file is recognized by its first lines as of Copilot CLI', () => {
    const start = { type: 'session.start', id: 'e', data: { sessionId: 's', producer: 'copilot-agent' } };
    expect(recognisedBy([JSON.stringify(start)])).toEqual(['copilot-cli']);
    expect(recognisedBy([JSON.stringify({ ...start, data: {} })])).toEqual([]);
  });

  it('a file is recognized by its first lines as of Strata', () => {
    expect(recognisedBy(['{"type":"strata-conversation","version":1,"id":"s"}'])).toEqual(['strata']);
    expect(recognisedBy(['{"type":"strata-conversation","version":1}'])).toEqual([]);
  });

  it.each([
    ['Codex, but without an id', '{"timestamp":"t","type":"session_meta","payload":{}}'],
    [
      'Qwen Code, but without a session',
      '{"uuid":"u","type":"user","message":{"role":"user","parts":[{"text":"hi"}]}}',
    ],
    ['Gemini CLI, but without a project', '{"sessionId":"s","startTime":"t","kind":"main"}'],
    ['VS Code, but without an id', '{"kind":0,"v":{"version":3,"requests":[]}}'],
    ['VS Code, but without its beginning', '{"kind":1,"k":["requests"],"v":[]}'],
    ['nobody', 'not JSON'],
    ['nobody', 'null'],
  ])('a file is recognized by its first lines as of none of ours if it is of %s', (_agent, line) => {
    expect(recognisedBy([line])).toEqual([]);
  });

  const foreign = moreSamples === undefined ? [] : globSync(join(moreSamples, 'cline', '**', '*.json*'));
  it.runIf(foreign.length > 0).each(foreign)('as of none of ours: %s', (file) => {
    expect(recognisedBy(headOf(file))).toEqual([]);
  });
});
