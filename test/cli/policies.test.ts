import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { CommandFailed } from '../../extension/cli/command-failed';
import { loadPolicies } from '../../extension/cli/policies';
import { findStrategy } from '../../extension/engine/run/prepare/registry';
import { assistant, long, talk, user } from '../builders/conversation';
import { compact } from '../builders/run';

const folder = mkdtempSync(join(tmpdir(), 'strata-policies-'));
afterAll(() => rmSync(folder, { recursive: true }));

function moduleFile(name: string, source: string): string {
  const file = join(folder, name);
  writeFileSync(file, source);
  return file;
}

function policySource(name: string): string {
  return `{
    name: '${name}',
    defaults: { keep: 1 },
    shouldCompact: (history, { keep }) => history.length > keep,
    tiers: (history, { keep }) => history.map((_, at) => (at < history.length - keep ? 'summarized' : 'stays')),
    summarize: ({ entries }) => \`\${entries.length} entries of ${name}\`,
  }`;
}

async function failureOf(name: string, source: string): Promise<unknown> {
  return loadPolicies([moduleFile(name, source)]).catch((error: unknown) => error);
}

describe('a person’s own policies on the command line', () => {
  it('a person’s own policies on the command line are strategies once their file was named, whatever they are exported as', async () => {
    await loadPolicies([
      moduleFile('one.mjs', `export default ${policySource('by_default')};`),
      moduleFile('more.mjs', `export const helper = 1;\nexport const policies = [${policySource('in_a_list')}];`),
    ]);
    expect(findStrategy('in-a-list')).toBeDefined();
    const conversation = talk(user('Explain it.'), assistant(long('It is so.')), user('And now?'));
    const { records } = await compact(conversation, { strategy: 'by-default' });
    expect(records[0]?.text).toBe('[SUMMARIZED]\n2 entries of by_default');
  });

  it('loads no policies when no file is named', async () => {
    await expect(loadPolicies(undefined)).resolves.toBeUndefined();
  });

  it('a person’s own policies on the command line are refused with the file and the reason', async () => {
    const policy = policySource('refused');
    const failures = {
      'nothing.mjs': ['export const answer = 42;', /nothing\.mjs cannot be used: it exports no policy/],
      'half.mjs': [`export default { ...${policy}, tiers: undefined };`, /lacks the function tiers$/],
      'nameless.mjs': [
        `export default { ...${policy}, name: 7, defaults: null };`,
        /lacks name \(a string\), defaults/,
      ],
      'taken.mjs': [`export default { ...${policy}, name: 'pipeline' };`, /already a strategy named "pipeline"/],
      'badly-named.mjs': [`export default { ...${policy}, name: 'Not A Name' };`, /"Not A Name" is no name/],
      'throwing.mjs': ['throw new Error("it does not start");', /it does not start/],
    } as const;
    for (const [name, [source, message]] of Object.entries(failures)) {
      const failure = await failureOf(name, source);
      expect(failure, name).toBeInstanceOf(CommandFailed);
      expect(failure).toMatchObject({ isUsage: true, message: expect.stringMatching(message) });
    }
    await expect(loadPolicies([join(folder, 'absent.mjs')])).rejects.toThrow(/absent\.mjs cannot be used/);
  });
});
