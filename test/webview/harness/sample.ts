import { readFileSync } from 'node:fs';
import type { Row, RowDetail, RowSection } from '../../../extension/protocol/view';

/** One entry of the excerpt in session.jsonl, a public session of the pi project (MIT) with its long texts cut. */
type SampleEntry = { readonly line: number; readonly time: string } & (
  | { readonly role: 'user' | 'injected'; readonly text: string; readonly tokens: number }
  | { readonly role: 'assistant'; readonly parts: readonly SamplePart[] }
  | {
      readonly role: 'result';
      readonly id: string;
      readonly error: boolean;
      readonly text: string;
      readonly tokens: number;
    }
);

type SampleResult = Extract<SampleEntry, { role: 'result' }>;

type SamplePart =
  | { readonly type: 'text' | 'reasoning'; readonly text: string; readonly tokens: number }
  | {
      readonly type: 'call';
      readonly id: string;
      readonly name: string;
      readonly input: Readonly<Record<string, unknown>>;
      readonly tokens: number;
    };

export interface SampleRow {
  readonly row: Row;
  readonly detail: RowDetail;
}

const file = '/home/dev/.pi/agent/sessions/--home-dev-pi-mono--/2025-12-09T00-53-29-825Z_ffae836b.jsonl';

export const sampleFile = file;

export function readSample(): SampleRow[] {
  const path = new URL('session.jsonl', import.meta.url);
  const entries = readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as SampleEntry);
  const results = new Map(entries.filter((entry) => entry.role === 'result').map((entry) => [entry.id, entry]));
  let turn = 4;
  return entries.flatMap((entry) => {
    if (entry.role === 'user') turn += 1;
    return rowsOf(entry, turn, results);
  });
}

function rowsOf(entry: SampleEntry, turn: number, results: ReadonlyMap<string, SampleResult>): SampleRow[] {
  switch (entry.role) {
    case 'user':
      return [
        sampleRow(entry, 'u', { kind: 'user', turn, preview: firstLine(entry.text), tokens: entry.tokens }, [
          said(entry.text),
        ]),
      ];
    case 'injected':
      return [
        sampleRow(entry, 'i', { kind: 'injected', preview: firstLine(entry.text), tokens: entry.tokens }, [
          said(entry.text),
        ]),
      ];
    case 'assistant':
      return entry.parts.map((part, index) => partRow(entry, part, index, results));
    case 'result':
      return [];
  }
}

function partRow(
  entry: SampleEntry,
  part: SamplePart,
  index: number,
  results: ReadonlyMap<string, SampleResult>,
): SampleRow {
  if (part.type !== 'call') {
    const kind = part.type === 'text' ? 'assistant' : 'reasoning';
    return sampleRow(entry, `p${index}`, { kind, preview: firstLine(part.text), tokens: part.tokens }, [
      { label: '', text: part.text, cut: part.text.endsWith('…'), tone: 'markdown' },
    ]);
  }
  const result = results.get(part.id);
  const outcome = result ? (result.error ? 'error' : 'ok') : 'running';
  const subject = String(part.input.path ?? part.input.command ?? '').split('\n')[0] ?? '';
  const tool = {
    name: part.name,
    subject: subject.slice(0, 240),
    outcome,
    result: firstLine(result?.text ?? ''),
    pruned: false,
  } as const;
  const sections: RowSection[] = [
    { label: 'Call', text: JSON.stringify(part.input, null, 2).replaceAll('\\n', '\n'), cut: false, tone: 'code' },
  ];
  if (result) {
    const tone = result.error ? 'error' : 'code';
    sections.push({ label: 'Result', text: result.text, cut: result.text.endsWith('…'), tone });
  }
  return sampleRow(
    entry,
    `p${index}`,
    { kind: 'tool', preview: '', tokens: part.tokens + (result?.tokens ?? 0), tool },
    sections,
  );
}

function sampleRow(
  { line, time }: SampleEntry,
  suffix: string,
  row: Pick<Row, 'kind' | 'preview' | 'tokens'> & Partial<Row>,
  sections: readonly RowSection[],
): SampleRow {
  const key = `e${line}:${suffix}`;
  return {
    row: { key, turn: null, tool: null, block: null, images: 0, pinned: [], time: Date.parse(time), ...row },
    detail: { sections, images: [], origin: { file, line }, entryId: `e${line}` },
  };
}

function said(text: string): RowSection {
  return { label: '', text, cut: false, tone: 'markdown' };
}

function firstLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim().slice(0, 240);
}
