import { describe, expect, it } from 'vitest';
import { goalsFirst, newProposals, proposalsByStructure } from '../../../extension/engine/language/proposals';
import { assistant, call, result, type Said, talk, user } from '../../builders/conversation';

function found(...said: readonly Said[]): string[] {
  return proposalsByStructure(talk(said).entries).map(({ kind, text, entryId }) => `${entryId} ${kind}: ${text}`);
}

describe('proposals for the core', () => {
  it('proposals for the core take a goal that the person set by a command of the agent', () => {
    const logged = '<command-name>/goal</command-name>\n<command-args>Ship the exporter</command-args>';
    expect(found(user('/goal Ship the importer'), assistant('Yes.'), user(logged))).toEqual([
      'e1 goal: Ship the importer',
      'e3 goal: Ship the exporter',
    ]);
  });

  it('proposals for the core take what the person put into the agent’s memory, in whatever language', () => {
    expect(
      found(
        user('/memory add Immer mit pnpm bauen.'),
        user('<user-memory-input># 必须先运行测试</user-memory-input>'),
        user('/remember Never force-push.'),
        user('/memory'),
      ),
    ).toEqual([
      'e1 constraint: Immer mit pnpm bauen.',
      'e2 constraint: 必须先运行测试',
      'e3 constraint: Never force-push.',
    ]);
  });

  it('proposals for the core take a plan that the person accepted, a long one by its first line', () => {
    const plan = (text: string): Said[] => [
      call('p', 'ExitPlanMode', { plan: text }),
      result('p', 'User has approved.'),
    ];
    expect(found(user('Plan it.'), ...plan('# Use TOML\n1. Parse it.'))).toEqual([
      'e2 decision: # Use TOML\n1. Parse it.',
    ]);
    expect(found(user('Plan it.'), ...plan(`# Use TOML\n${'1. Parse it.\n'.repeat(80)}`))).toEqual([
      'e2 decision: Use TOML',
    ]);
  });

  it('proposals for the core take a line that the person repeats in several messages, and none that occurs twice in one', () => {
    const rule = 'Run the whole test suite before you commit.';
    expect(found(user(`Add a flag.\n${rule}`), assistant('Done.'), user(`${rule}\nNow the docs.`))).toEqual([
      `e3 constraint: ${rule}`,
    ]);
    expect(found(user(`${rule}\n${rule}`), user('go on'), user('go on'))).toEqual([]);
  });

  it('proposals for the core do not interpret wording: rules, wishes and decisions in a text propose nothing', () => {
    expect(
      found(user('Never touch legacy/. I decided to use TOML. My goal is speed.'), assistant('We go with TOML.')),
    ).toEqual([]);
  });

  it('proposals for the core are new once, whatever their case and spacing, and goals come first', () => {
    const proposals = proposalsByStructure(
      talk(user('/remember Never touch legacy/.'), user('/remember never  touch legacy/.'), user('/goal Ship it'))
        .entries,
    );
    expect(newProposals(proposals, []).map(({ kind }) => kind)).toEqual(['constraint', 'goal']);
    expect(goalsFirst(newProposals(proposals, [])).map(({ kind }) => kind)).toEqual(['goal', 'constraint']);
  });
});
