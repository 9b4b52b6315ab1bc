import fc from 'fast-check';

/** Field names and values of the Gemini family of agents, and names of inherited properties. */
const names = [
  'id',
  'uuid',
  'parentUuid',
  'sessionId',
  'type',
  'subtype',
  'message',
  'messages',
  'parts',
  'content',
  'text',
  'thought',
  'functionCall',
  'functionResponse',
  'inlineData',
  'response',
  'toolCalls',
  'result',
  'tokens',
  'user',
  'gemini',
  'assistant',
  'tool_result',
  'system',
  'model',
  '$set',
  '$rewindTo',
  'chat_compression',
  'systemPayload',
  'compressedHistory',
  'usageMetadata',
  '__proto__',
  'constructor',
];

export const anyValue: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 5 },
    fc.constantFrom(...names, null, true, 0, -1, Number.MAX_VALUE, 'a', 'b', 'c'),
    fc.array(tie('any'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom(...names), tie('any'), { maxKeys: 6 }),
  ),
})).any;

/** The lines with random values replaced, and random lines removed or repeated. */
export function damaged(lines: readonly string[]): fc.Arbitrary<string[]> {
  const blow = fc.tuple(fc.nat(), fc.nat(), anyValue, fc.constantFrom('value', 'value', 'gone', 'twice'));
  return fc.array(blow, { minLength: 1, maxLength: 8 }).map((blows) => {
    const left = lines.filter((line) => line !== '');
    for (const [line, place, value, kind] of blows) {
      const index = line % left.length;
      const text = left[index] ?? 'null';
      if (kind === 'gone' && left.length > 1) left.splice(index, 1);
      else if (kind === 'twice') left.splice(place % left.length, 0, text);
      else left[index] = withReplaced(text, place, value);
    }
    return left;
  });
}

function withReplaced(line: string, place: number, value: unknown): string {
  let values = 0;
  const count = (_key: string, item: unknown): unknown => {
    values += 1;
    return item;
  };
  JSON.parse(line, count);
  const target = place % values;
  let seen = 0;
  return JSON.stringify(JSON.parse(line, (_key, item: unknown) => (seen++ === target ? value : item))) ?? 'null';
}
