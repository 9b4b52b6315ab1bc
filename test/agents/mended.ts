import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { toolCalls } from '../../extension/engine/conversation/entry';
import { forkSession } from '../../extension/inspection/fork/fork-session';
import { Inspection } from '../../extension/inspection/inspection';
import { openJournal } from '../../extension/inspection/journal-store';
import type { LineFormat } from '../../extension/sessions/adapter';
import { adapterOf } from '../../extension/sessions/adapters';
import { contextFaults } from '../sessions/context-faults';
import { rawLineBreaks, tornWrite, zeroBytes } from '../sessions/damage';
import type { Agent } from './agent';
import { linesLost, sentIn, shownIn, turnsOf } from './compare';
import type { Laboratory } from './laboratory';
import { begin, goOn } from './story';

const minutes = 60_000;

type Breaks = (lines: readonly string[], format: LineFormat) => string;

const damages: readonly (readonly [what: string, breaks: Breaks])[] = [
  ['a torn write in the place of a call', (lines, format) => tornWrite(lines, firstCall(lines, format), 0.6).text],
  [
    'zero bytes in the place of a call',
    (lines, format) => zeroBytes(lines, firstCall(lines, format), firstCall(lines, format), 0.3).text,
  ],
  [
    'raw line breaks in a text',
    (lines) => lines.flatMap((_, index) => rawLineBreaks(lines, index) ?? [])[0]?.text ?? '',
  ],
  ['no first record', withoutBeginning],
];

/** Tests that the agent continues a mended fork of a broken session, and sends everything that could be read. */
export function describeMendedForks(agent: Agent, told: () => Laboratory): void {
  describe.each(damages)('a mended fork of a session with %s', (_what, breaks) => {
    it(
      'is resumed, and all of it is sent',
      async () => {
        const laboratory = told();
        const { resume } = agent;
        const adapter = adapterOf(agent.id);
        if (resume === undefined || adapter.kind !== 'lines') throw new Error(`No fork of ${agent.id} can be resumed`);
        const { after } = await begin(laboratory, agent.prompt('TOOLS=2 read the file'));
        await laboratory.run(resume(after, 'TOOLS=0 say more'));
        const lines = readFileSync(after.file, 'utf8')
          .split('\n')
          .filter((line) => line.trim() !== '');
        writeFileSync(after.file, breaks(lines, adapter));
        const broken = await laboratory.open(after.file);
        expect(broken.issues).not.toEqual([]);
        const journal = await openJournal(join(laboratory.place.home, 'journals'), broken);
        const fork = await forkSession(await Inspection.of(broken, journal), { mends: true });
        const whole = await laboratory.open(fork.file);
        expect(whole.issues).toEqual([]);
        const resumed = await goOn(laboratory, fork, 'mended', resume(fork, 'TOOLS=1 in the mended fork'));
        const [first] = turnsOf(resumed.exchanges);
        const sent = first === undefined ? [] : sentIn(agent, first);
        const shown = whole.conversation.agentContext.filter(({ role }) => role !== 'system');
        expect(linesLost(shownIn(agent, shown), sent)).toEqual([]);
        expect(sent.join('\n')).toContain('TOOLS=1 in the mended fork');
        expect(contextFaults(resumed.after.conversation.agentContext)).toEqual([]);
      },
      5 * minutes,
    );
  });
}

/** The lines without leading records that no other record needs. */
function withoutBeginning(lines: readonly string[], format: LineFormat): string {
  const length = lines.findIndex((_, index) => {
    const builder = format.createBuilder('session.jsonl');
    for (const [at, text] of lines.slice(index + 1).entries()) builder.accept({ number: at + 1, text });
    return builder.session().issues.length > 0;
  });
  return `${lines.slice(length + 1).join('\n')}\n`;
}

function firstCall(lines: readonly string[], format: LineFormat): number {
  return lines.findIndex((text) => {
    const builder = format.createBuilder('session.jsonl');
    builder.accept({ number: 1, text });
    return builder.session().conversation.entries.some(({ parts }) => toolCalls(parts).length > 0);
  });
}
