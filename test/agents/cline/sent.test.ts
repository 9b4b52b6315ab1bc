import { describe, expect, it } from 'vitest';
import { cline } from '../../../extension/agents/cline/format/adapter';
import { contextFaults } from '../../sessions/context-faults';
import { picture } from '../../sessions/picture';
import { temporaryFolders } from '../../sessions/temporary';
import { call, type Fields, opened, prompt, reply, result, words, writeCliSession } from './session-files';

const folder = temporaryFolders();
const outdated = '[outdated - see the latest file content]';

async function conversationOf(messages: readonly unknown[], manifest?: Fields) {
  const file = writeCliSession(folder(), messages, manifest === undefined ? {} : { manifest });
  const { conversation } = await opened(file);
  expect(contextFaults(conversation.agentContext)).toEqual([]);
  return conversation;
}

/** A call that reads a file or a range of its lines, with its result. */
function read(number: number, query: string, text: string): Fields[] {
  const read = [{ query, result: text, success: true }];
  return [reply(`a${number}`, [call(`c${number}`, 'read_files')]), result(`r${number}`, `c${number}`, read)];
}

/** `count` reads, nine of which are large enough to be left out. */
function reads(from: number, count: number, query: string): Fields[] {
  return Array.from({ length: count }, (_, index) => read(from + index, query, 'x'.repeat(7900))).flat();
}

async function outdatedCalls(messages: readonly unknown[], manifest?: Fields): Promise<string[]> {
  const { agentContext } = await conversationOf(messages, manifest);
  const results = agentContext
    .flatMap(({ parts }) => parts)
    .flatMap((part) => (part.type === 'tool_result' ? part : []));
  return results.filter(({ text }) => text.includes(outdated)).map(({ callId }) => callId);
}

describe("a long result in Cline's context", () => {
  const long = `${'a'.repeat(6000)}${'b'.repeat(6000)}`;
  const messages = [
    prompt('q1', 'look'),
    reply('a1', [call('c1'), call('c2')]),
    result('r1', 'c1', [{ query: 'cat', result: long, success: true }]),
    result('r2', 'c2', 'short'),
  ];

  it('sends a long result without its middle, under the same id, and keeps the entry complete', async () => {
    const { agentContext, entries } = await conversationOf(messages);
    const end = 3984;
    const cut = `${'a'.repeat(end)}\n\n...[truncated 4032 chars]...\n\n${'b'.repeat(end)}`;
    const [, , , whole, short] = entries;
    expect(agentContext[3]).toEqual({ ...whole, parts: [{ ...whole?.parts[0], text: resultOf(cut) }] });
    expect(whole?.parts[0]).toMatchObject({ text: resultOf(long) });
    expect(agentContext[4]).toBe(short);
  });

  it('keeps the same object while a shortened result does not change', async () => {
    const at = folder();
    const opening = await cline.open(writeCliSession(at, messages), null);
    if (opening.kind !== 'reading') throw new Error(String(opening.message));
    const before = opening.reading.parsed.conversation.agentContext;
    writeCliSession(at, [...messages, reply('a2', [words('done')])]);
    await opening.reading.readOn();
    const after = opening.reading.parsed.conversation.agentContext;
    expect(after).toHaveLength(6);
    for (const [index, entry] of before.entries()) if (entry.role !== 'system') expect(after[index]).toBe(entry);
  });

  function resultOf(text: string): string {
    return JSON.stringify([{ query: 'cat', result: text, success: true }]);
  }
});

describe("other texts in Cline's context", () => {
  it('sends prompts completely, and replies and files up to their limits', async () => {
    const { agentContext } = await conversationOf([
      prompt('q1', 'p'.repeat(300_000)),
      reply('a1', [words('r'.repeat(200_001))]),
      reply('a2', [words('<invoke x>'.repeat(1300))]),
      reply('a3', [words('r'.repeat(200_000))]),
      { ...prompt('q2', ''), content: [{ type: 'file', path: '/f', content: 'f'.repeat(50_001) }] },
    ]);
    const texts = picture(agentContext).slice(1);
    expect(texts.map((text) => /\[[^\]]*\]/.exec(text)?.[0] ?? null)).toEqual([
      null,
      '[assistant text truncated: omitted 55 chars]',
      '[assistant text truncated: omitted 1090 chars due to repeated tool-call markup]',
      null,
      '[truncated 31 chars]',
    ]);
    expect(texts[4]).toMatch(/^injected: <file_content path="\/f">\nf+/);
  });

  it('shortens the longest texts of a request with more than six million bytes', async () => {
    const turns = Array.from({ length: 800 }, (_, number) => [
      reply(`a${number}`, [call(`c${number}`)]),
      result(`r${number}`, `c${number}`, (number < 2 ? 'xx' : 'x').repeat(number < 700 ? 4000 : 8000)),
    ]).flat();
    const whole = await conversationOf([prompt('q1', 'go'), ...turns]);
    expect(whole.agentContext.slice(1)).toEqual(whole.entries.slice(1));
    const heavy = [prompt('q0', 'p'.repeat(3_000_000)), ...turns];
    const { agentContext } = await conversationOf(heavy);
    const lengths = agentContext.flatMap(({ parts }) =>
      parts.flatMap((part) => (part.type === 'tool_result' ? part.text.length : [])),
    );
    expect([lengths[0], lengths[1], lengths[2], lengths[700], lengths[799]]).toEqual([1999, 1999, 4000, 1999, 4501]);
  });

  it('removes the tags around typed text anywhere in a prompt', async () => {
    const content = [
      words(' <user_command slash="team">do it</user_command>\n<user_input mode="act"> now</user_input> '),
    ];
    const { agentContext } = await conversationOf([{ ...prompt('q1', ''), content }]);
    expect(picture(agentContext)[1]).toBe('user: do it\n now');
  });
});

describe("repeated file reads in Cline's context", () => {
  it('sends repeated reads while leaving them out would save little', async () => {
    expect(await outdatedCalls(reads(0, 8, '/f'))).toEqual([]);
  });

  it('sends only the last read of a file once this saves more than 64 KB', async () => {
    const messages = reads(0, 10, '/f');
    expect(await outdatedCalls(messages)).toEqual(['c0', 'c1', 'c2', 'c3', 'c4', 'c5', 'c6', 'c7', 'c8']);
    const { entries } = await conversationOf(messages);
    expect(JSON.stringify(entries)).not.toContain(outdated);
  });

  it('leaves out ranges of a file after a read of the whole file, but not the reverse', async () => {
    const lines = [...read(20, '/f:1-5', 'few'), ...reads(0, 10, '/f'), ...read(21, '/f:1-5', 'few')];
    expect(await outdatedCalls([...lines, ...read(22, '/f:6-EOF', 'few')])).toEqual([
      'c20',
      ...Array.from({ length: 9 }, (_, number) => `c${number}`),
      'c21',
      'c22',
    ]);
    expect(await outdatedCalls([...reads(0, 9, '/f:1-5'), ...reads(9, 9, '/g')])).toEqual(
      Array.from({ length: 16 }, (_, index) => `c${index < 8 ? index : index + 1}`),
    );
  });

  it('keeps ranges in the same result as the whole file', async () => {
    const own = result('r30', 'c30', [
      { query: '/f:1-5', result: 'few' },
      { query: '/f', result: 'all' },
    ]);
    const messages = [...reads(0, 10, '/f'), reply('a30', [call('c30', 'read_files')]), own];
    expect(await outdatedCalls(messages)).toEqual(Array.from({ length: 10 }, (_, number) => `c${number}`));
  });

  it('leaves out reads at requests of the running process, otherwise at the next request', async () => {
    const messages = reads(0, 13, '/f');
    const manifest = { status: 'running', pid: process.pid, started_at: new Date(0).toISOString() };
    const all = Array.from({ length: 12 }, (_, index) => `c${index}`);
    expect(await outdatedCalls(messages, manifest)).toEqual(all.slice(0, 9));
    expect(await outdatedCalls(messages, { ...manifest, status: 'completed' })).toEqual(all);
    const began = new Date(1_796_000_000_000).toISOString();
    expect(await outdatedCalls(messages, { ...manifest, started_at: began })).toEqual(all);
  });
});

describe("images in Cline's context", () => {
  const image = (data: string) => ({ type: 'image', mediaType: 'image/png', data });

  it('sends images in order up to the limit', async () => {
    const large = 'A'.repeat(5_000_000);
    const content = [words('see'), image(large), image(`${large}${large}`), image(large), image('AAAA'), image('no!')];
    const { agentContext, entries } = await conversationOf([{ ...prompt('q1', ''), content }]);
    const omitted = '[media omitted: invalid or exceeds size limit]';
    expect(picture(agentContext)[1]).toBe(
      `user: see + [image/png] + ${omitted} + ${omitted} + [image/png] + ${omitted}`,
    );
    expect(picture(entries)[1]).not.toContain(omitted);
  });

  it('adds the image of a result to its data', async () => {
    const read = [{ query: '/p.png', result: 'Successfully read image' }, image('AAAA')];
    const { agentContext } = await conversationOf([reply('a1', [call('c1')]), result('r1', 'c1', read)]);
    expect(picture(agentContext)[2]).toBe(
      'tool: c1 → [{"query":"/p.png","result":"Successfully read image"}] + [image/png]',
    );
  });
});
