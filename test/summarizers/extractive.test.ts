import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { holder } from '../../extension/engine/compaction/loss-report';
import { type SectionName, sections } from '../../extension/engine/compaction/sections';
import type { RequestedTurn, SummaryRequest } from '../../extension/engine/compaction/summary';
import { type Entry, readableText } from '../../extension/engine/conversation/entry';
import { countWithO200k } from '../../extension/engine/conversation/tokenizer';
import { extract } from '../../extension/summarizers/extractive/extractive';
import { conversations } from '../builders/arbitrary';
import { agentSummary, assistant, call, long, result, type Said, talk, user } from '../builders/conversation';

const loader: Said[] = [
  user('Add TOML to the loader. Never change loadConfig(). Write it for people who read slowly.'),
  call('a', 'read', { path: 'src/config/loader.ts' }, 'Let me look.'),
  result('a', 'export function loadConfig() {}'),
  call('b', 'edit', { path: 'src/config/toml.ts' }, 'I chose a hand-written parser because the library is large.'),
  result('b', 'EACCES: permission denied, open src/config/toml.ts', true),
  call('c', 'edit', { path: 'src/config/toml.ts' }, 'The root cause was a missing write permission.'),
  result('c', 'ok'),
  assistant('I added parseToml in src/config/toml.ts. The next step is to test nested tables.'),
];

function request(asked: readonly SectionName[], changes: Partial<SummaryRequest> = {}, said = loader): SummaryRequest {
  const [person = null, ...entries] = talk(said).entries;
  return {
    summaryType: 'checkpoint',
    sections: asked,
    turns: [{ user: person, userIsReplaced: true, entries, blocks: [] }],
    instructions: null,
    core: null,
    liveGoal: null,
    maxTokens: 1000,
    countTokens: countWithO200k,
    ...changes,
  };
}

function headings(body: string): string[] {
  return [...body.matchAll(/^## (.*)$/gm)].map(([, heading]) => heading ?? '');
}

function sectionOf(body: string, name: SectionName): string {
  return body.split(/^## /m).find((section) => section.startsWith(`${name}\n`)) ?? '';
}

describe('the extractive summarizer', () => {
  it.each(Object.entries(sections))('fills the sections of %s, in their order', (_, asked) => {
    const found = headings(extract(request(asked)).body);
    expect(found).toEqual(asked.filter((section) => found.includes(section)));
    expect(found.length).toBeGreaterThanOrEqual(asked.length - 1);
  });

  it('writes a checkpoint', () => {
    const { body } = extract(request(sections.checkpoint));
    expect(sectionOf(body, 'Constraints')).toContain('- Never change loadConfig().');
    expect(sectionOf(body, 'Completed Work')).toContain('I added parseToml in src/config/toml.ts.');
    expect(sectionOf(body, 'Next Steps')).toContain('The next step is to test nested tables.');
    expect(sectionOf(body, 'Critical Context')).toContain('Write it for people who read slowly.');
    expect(sectionOf(body, 'Key Artifacts')).toContain('src/config/loader.ts');
  });

  it('writes running text without headings, and the names on one line', () => {
    const { body, spans } = extract(request([]));
    const [text, names, ...more] = body.split('\n\n');
    expect(body).not.toContain('#');
    expect(text).toMatch(/^Add TOML to the loader\. Never change loadConfig\(\)\./);
    expect(names).toMatch(/^Files: \S+/);
    expect(names).not.toContain('\n');
    expect(more).toEqual([]);
    expect(spans.every(({ section }) => section === null)).toBe(true);
  });

  it('has no strategy rather than an announcement', () => {
    const said = [user('Fix it.'), call('a', 'read', { path: 'src/run.ts' }, 'Let me look.'), result('a', 'text')];
    expect(headings(extract(request(sections.toolCallBatch, {}, said)).body)).not.toContain('Strategy');
  });

  it('says nothing of the person where the person’s message stays before the block', () => {
    const [person = null, ...entries] = talk(loader).entries;
    const turns: RequestedTurn[] = [{ user: person, userIsReplaced: false, entries, blocks: [] }];
    const { body } = extract(request(sections.goalBatch, { turns }));
    expect(body).not.toContain('Never change loadConfig().');
    expect(headings(body)).not.toContain('Goal Arc');
  });

  it('says nothing that the core says', () => {
    const core = {
      original_goal: 'Add TOML to the loader.',
      current_goal: null,
      hard_constraints: ['Never change loadConfig().'],
      key_decisions: [],
    };
    const { body } = extract(request(sections.goalBatch, { core }));
    expect(body).not.toContain('Never change loadConfig().');
    expect(body).not.toContain('Add TOML to the loader.');
    expect(body).toContain('Write it for people who read slowly.');
  });

  it('carries the names that only an earlier summary of the agent has', () => {
    const said = [agentSummary('Work went on in src/legacy/reader.ts with readLegacy.'), ...loader];
    const { entries } = talk(said);
    const turns: RequestedTurn[] = [{ user: null, userIsReplaced: false, entries, blocks: [] }];
    const holds = holder(extract(request(sections.checkpoint, { turns, maxTokens: 200 })).body);
    expect(holds('src/legacy/reader.ts')).toBe(true);
    expect(holds('readLegacy')).toBe(true);
  });

  it('says how many operations it does not list', () => {
    const calls = Array.from({ length: 30 }, (_, at) => [
      call(`c${at}`, 'read', { path: `src/part-${at}.ts` }),
      result(`c${at}`, long('A file.', 3)),
    ]).flat();
    const { body } = extract(request(sections.toolCallBatch, { maxTokens: 500 }, [user('Read all.'), ...calls]));
    const shown = body.match(/^- \*\*read\*\*/gm)?.length ?? 0;
    expect(shown).toBeGreaterThan(0);
    expect(body).toContain(`- (+${30 - shown} more)`);
  });

  it('prefers what the instructions ask for', () => {
    const files = Array.from({ length: 60 }, (_, at) => `src/part${at}/module${at}.ts`).join(' ');
    const said = [user('Read on.'), assistant(`I read src/billing/invoice.ts.`), assistant(files)];
    const held = (instructions: string | null) =>
      holder(extract(request(sections.goalBatch, { instructions, maxTokens: 120 }, said)).body)(
        'src/billing/invoice.ts',
      );
    expect(held(null)).toBe(false);
    expect(held('Keep all about the invoices.')).toBe(true);
  });

  it('carries the rules of the person where there is room for little', () => {
    const said = [user('Fix it. Never push to main.'), assistant(long('I read another file of the project.'))];
    expect(extract(request(sections.goalBatch, { maxTokens: 160 }, said)).body).toContain('Never push to main.');
  });

  it('is no longer than it may be, and only says what an entry says, in any sections', () => {
    const asked = fc.constantFrom<readonly SectionName[]>([], ...Object.values(sections));
    fc.assert(
      fc.property(conversations, asked, fc.integer({ min: 40, max: 1200 }), ({ entries }, names, maxTokens) => {
        const turns = [{ user: null, userIsReplaced: false, entries, blocks: [] }];
        const { body, spans } = extract(request(names, { turns, maxTokens }));
        expect(countWithO200k(body)).toBeLessThanOrEqual(maxTokens + slack);
        for (const { text, entryId } of spans) expect(textOf(entries, entryId)).toContain(bare(text));
      }),
      { numRuns: 120 },
    );
  });

  it('is the same for the same entries', () => {
    expect(extract(request(sections.checkpoint))).toEqual(extract(request(sections.checkpoint)));
  });
});

/** The count of what is left out is not known before. */
const slack = 8;

function textOf(entries: readonly Entry[], id: string): string {
  const entry = entries.find((candidate) => candidate.id === id);
  return bare((entry?.parts ?? []).map(readableText).join(' ').replaceAll('\\n', ' '));
}

function bare(text: string): string {
  return text.replace(/…$/, '').replace(/\s+/g, ' ').trim();
}
