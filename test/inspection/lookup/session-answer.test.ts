import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Inspection } from '../../../extension/inspection/inspection';
import { textOfEntry } from '../../../extension/inspection/lookup/passages';
import { answerFromSession } from '../../../extension/inspection/lookup/session-answer';
import { WordEmbedder } from '../../engine/memory/builders';
import { inspect, searching } from './opened';

function budget({ ledger }: Inspection, tokens: number) {
  return { tokens, count: ledger.countText };
}

interface Excerpt {
  readonly speaker: string;
  readonly file: string;
  readonly line: number;
  readonly text: string;
}

function excerptsOf(answer: string): Excerpt[] {
  return answer.split(/\n\n(?=\[\d+\] )/).flatMap((piece) => {
    const [, speaker = '', file = '', line, text = ''] =
      /^\[\d+\] (.+), \d{4}-\d\d-\d\d \d\d:\d\d, (.+):(\d+)\n(.*)$/s.exec(piece) ?? [];
    return line === undefined ? [] : [{ speaker, file, line: Number(line), text }];
  });
}

describe('what another session says to a question', () => {
  it('begins with the session and its goal, and quotes what fits, the best first', async () => {
    const inspection = await inspect('pi');
    const answer = await answerFromSession(
      inspection,
      'e2e tests for AgentSession',
      budget(inspection, 2000),
      searching(),
    );
    const [session, goal] = answer.split('\n');
    expect(session).toMatch(
      /^Session "alright, read .*" \(pi, id ffae836b-[^,]+, in \/Users\/dev\/workspaces\/pi-mono\)$/,
    );
    expect(goal).toMatch(/^Goal: alright, read @packages\/coding-agent\/src\/main.ts/);
    const [first] = excerptsOf(answer);
    expect(first?.speaker).toBe('user');
    expect(first?.text).toMatch(/^i would only want e2e tests for AgentSession, anything else is shitty/);
  });

  it('gives each excerpt word for word, with its line in the file', async () => {
    for (const [sample, question] of [
      ['pi', 'only want e2e tests and slash commands expanded?'],
      ['claude', 'why are there four sessions with the same checkpoint?'],
    ] as const) {
      const inspection = await inspect(sample);
      const lines = readFileSync(inspection.session.file, 'utf8').split('\n');
      const excerpts = excerptsOf(await answerFromSession(inspection, question, budget(inspection, 3000), searching()));
      expect(excerpts.length).toBeGreaterThan(3);
      for (const { speaker, file, line, text } of excerpts) {
        expect(file).toBe(inspection.session.file);
        const said = text.replace(/… \[cut\]$/, '');
        const at = inspection.session.conversation.entries.filter(({ origin }) => origin.line === line);
        expect(at.some((entry) => textOfEntry(entry).includes(said))).toBe(true);
        if (speaker === 'user') expect(lines[line - 1]).toContain(JSON.stringify(said.split('\n')[0]).slice(1, -1));
      }
    }
  });

  it('never takes more tokens than it may, and never the whole of the session', async () => {
    const inspection = await inspect('pi');
    const words = fc.constantFrom('refactor', 'AgentSession', 'slash commands', 'compaction', 'tests', 'RPC mode');
    await fc.assert(
      fc.asyncProperty(
        fc.array(words, { minLength: 1, maxLength: 3 }),
        fc.integer({ min: 20, max: 8000 }),
        async (said, tokens) => {
          const answer = await answerFromSession(inspection, said.join(' '), budget(inspection, tokens), searching());
          return inspection.ledger.countText(answer) <= tokens;
        },
      ),
      { numRuns: 20 },
    );
    expect(inspection.context.tokens.total).toBeGreaterThan(40_000);
  });

  it('states the pinned goal if there is one', async () => {
    const inspection = await inspect('claude');
    await inspection.coreEditor.pin('goal', 'Clean up orphaned sessions.', null);
    const answer = await answerFromSession(inspection, 'reset', budget(inspection, 500), searching());
    expect(answer.split('\n')[1]).toBe('Goal (pinned): Clean up orphaned sessions.');
  });

  it('says so when nothing fits', async () => {
    const inspection = await inspect('uncompacted');
    const answer = await answerFromSession(inspection, 'kubernetes ingress', budget(inspection, 500), searching());
    expect(answer).toMatch(/\nNothing in its \d+ messages fits the question\./);
  });

  it('searches by words alone if the encoder fails, and reports it', async () => {
    const inspection = await inspect('claude');
    const broken = { name: 'broken', embed: () => Promise.reject(new Error('no weights')) };
    const tools = searching(broken);
    const words = await answerFromSession(inspection, 'orphaned sessions', budget(inspection, 900), searching());
    expect(await answerFromSession(inspection, 'orphaned sessions', budget(inspection, 900), tools)).toBe(words);
    expect(tools.warnings).toEqual(['The search goes by words alone: no weights']);
  });

  it('compares few texts by meaning, however long the session is', async () => {
    const embedder = new WordEmbedder();
    const inspection = await inspect('pi');
    await answerFromSession(inspection, 'slash commands', budget(inspection, 900), searching(embedder));
    expect(embedder.asked.length).toBeLessThanOrEqual(33);
  });

  it('stops when it is cancelled', async () => {
    const inspection = await inspect('claude');
    const controller = new AbortController();
    controller.abort(new Error('The call was cancelled.'));
    const tools = { ...searching(), signal: controller.signal };
    await expect(answerFromSession(inspection, 'sessions', budget(inspection, 900), tools)).rejects.toThrow(
      'cancelled',
    );
  });
});
