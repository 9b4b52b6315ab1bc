import { describe, expect, it } from 'vitest';
import { readableText } from '../../../extension/engine/conversation/entry';
import { personSaid } from '../../../extension/engine/language/directions';
import type { LossReport, MatterKind } from '../../../extension/engine/language/loss-report';
import { percentKept } from '../../../extension/engine/language/loss-report';
import { remarksIn } from '../../../extension/engine/language/remarks';
import { lossReporter } from '../../../extension/engine/language/what-matters';
import { assistant, call, result, talk, user } from '../../builders/conversation';

const goal = 'Make the importer read the customer files of the old shop.';
const rule = 'Never change the schema of the customers table.';
const decision = 'We decided to parse the files line by line because they do not fit into memory.';
const finding = 'The root cause is that the parser takes a quoted comma for the end of a field.';
const names = ['src/import/parser.ts', 'src/import/reader.ts', 'readRows()', 'CustomerRow'];

const { entries } = talk(
  user(`${goal} ${rule}`),
  call('a', 'read', { path: 'src/import/parser.ts' }),
  result('a', 'export function readRows(): CustomerRow[] {}'),
  call('b', 'read', { path: 'src/import/reader.ts' }),
  result('b', 'export class CustomerRow {}'),
  assistant(`${decision}\n\n${finding}`),
  user('Please add a test for quoted commas too.'),
  call('c', 'bash', { command: 'npm test' }),
  result('c', 'FAIL test/parser.test.ts > reads a quoted comma\nAssertionError: expected 2 to be 3', true),
);
const reportOf = lossReporter(entries);

function shareOf(report: LossReport): number {
  return report.matters?.share ?? Number.NaN;
}

function lostOf(report: LossReport, kind: MatterKind): readonly string[] {
  return report.matters?.kinds.find((group) => group.kind === kind)?.lost.map(({ text }) => text) ?? [];
}

describe('how much a block keeps of what matters', () => {
  it('is all of it where the block says everything', () => {
    const whole = entries.flatMap(({ parts }) => parts.map(readableText)).join('\n');
    expect(shareOf(reportOf(whole))).toBe(1);
  });

  it('is little where a block has nothing but names', () => {
    const report = reportOf(names.join('\n'));
    expect(shareOf(report)).toBeLessThan(0.15);
    expect(lostOf(report, 'goal')).toEqual([goal]);
  });

  it('is most where a block has all but the names', () => {
    const report = reportOf(
      [goal, rule, decision, finding, 'Please add a test for quoted commas too.', '`npm test` fails'].join('\n'),
    );
    expect(shareOf(report)).toBeGreaterThan(0.85);
    expect(lostOf(report, 'open')).toEqual([]);
  });

  it('counts a finding in other words, but not one that says the opposite', () => {
    const said = 'The parser took a quoted comma for the end of a field: that is the root cause.';
    expect(lostOf(reportOf(said), 'finding')).toEqual([]);
    const opposite = 'The root cause is not that the parser takes a quoted comma for the end of a field.';
    expect(lostOf(reportOf(opposite), 'finding')).toEqual([finding]);
  });

  it('counts all that the agent concluded, also what no cue word marks', () => {
    const told = talk(
      user('Please look at the importer of the old shop.'),
      assistant('The importer reads each customer file three times before it writes the first row.'),
      user('Go on with the exporter of the old shop.'),
    );
    const all = lossReporter(told.entries)('Nothing.').matters?.kinds.find(({ kind }) => kind === 'finding');
    expect(all).toMatchObject({ kept: 0, total: 1, share: 0 });
  });

  it('reads what was said once for a block and its report', () => {
    expect(personSaid(entries)).toBe(personSaid(entries));
    expect(remarksIn(entries)).toBe(remarksIn(entries));
  });

  it('counts what stands in the core, which no block has to repeat', () => {
    expect(shareOf(reportOf('Nothing.', `${goal}\n${rule}`))).toBeGreaterThan(shareOf(reportOf('Nothing.')));
    expect(reportOf('Nothing.', rule).lost.map(({ text }) => text)).toContain(rule);
  });

  it('weighs a rule more than one request', () => {
    const without = (left: string) =>
      shareOf(reportOf([rule, 'Please add a test for quoted commas too.'].filter((text) => text !== left).join('\n')));
    expect(without(rule)).toBeLessThan(without('Please add a test for quoted commas too.'));
  });

  it('asks for no direction that a later one ended, and for no work that was finished', () => {
    const done = talk(
      user('Write the settings file in YAML with comments.'),
      assistant('Written.'),
      user('Use TOML instead of YAML for the settings file.'),
      call('t', 'bash', { command: 'npm test' }),
      result('t', 'FAIL one\nError: no such file', true),
      call('u', 'bash', { command: 'npm test' }),
      result('u', 'Tests  4 passed'),
    );
    const report = lossReporter(done.entries)('Nothing.');
    expect(lostOf(report, 'direction').join(' ')).not.toContain('in YAML with comments');
    expect(lostOf(report, 'open')).toEqual([]);
  });

  it('leaves mere names to their count', () => {
    const step = talk(call('a', 'read', { path: 'src/run.ts' }), result('a', 'fine'));
    expect(lossReporter(step.entries)('Nothing.')).not.toHaveProperty('matters');
    expect(lossReporter(talk(user('ok, thanks!')).entries)('Nothing.')).not.toHaveProperty('matters');
  });

  it('is 100 percent only where nothing is missing', () => {
    expect([percentKept(0.999), percentKept(1), percentKept(0.845)]).toEqual([99, 100, 85]);
  });
});
