/** A session as version 1 of pi writes it: turns of a prompt, a call, its result and an answer. */
export function sessionOf(entries: number, name: string, linesOfResult = 20): string {
  const lines = [JSON.stringify({ type: 'session', id: name, timestamp: '2026-01-01T00:00:00.000Z', cwd: '/work' })];
  for (let turn = 0; turn < entries / 4; turn += 1) {
    lines.push(...turnOf(turn, turn === 0 ? `session ${name}` : `turn ${turn}`, linesOfResult));
  }
  return `${lines.join('\n')}\n`;
}

function turnOf(turn: number, prompt: string, linesOfResult: number): string[] {
  const text = (value: string) => [{ type: 'text', text: value }];
  const call = { type: 'toolCall', id: `call-${turn}`, name: 'read', arguments: { path: `src/part-${turn}.ts` } };
  return [
    { role: 'user', content: text(prompt) },
    { role: 'assistant', content: [call] },
    {
      role: 'toolResult',
      toolCallId: `call-${turn}`,
      toolName: 'read',
      content: text(`line of part ${turn}\n`.repeat(linesOfResult)),
    },
    { role: 'assistant', content: text(`Part ${turn} reads as it should.`) },
  ].map((message) => JSON.stringify({ type: 'message', timestamp: '2026-01-01T00:00:00.000Z', message }));
}
