import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { lineSamplesIn } from './samples';
import { temporaryFolders } from './temporary';

const newFolder = temporaryFolders();

it.each(['strata', 'pi-work', 'codex', 'cline', 'reverted', '{a,b}'])(
  'tells the agent of a sample in a clone below a folder named %s',
  (above) => {
    const samples = join(newFolder(), above, 'samples');
    mkdirSync(join(samples, 'claude-code-2.1.14'), { recursive: true });
    writeFileSync(join(samples, 'claude-code-2.1.14', 'a.jsonl'), '');
    expect(lineSamplesIn(samples).map(({ name, format }) => [name, format.agent])).toEqual([
      [join('claude-code-2.1.14', 'a.jsonl'), 'claude-code'],
    ]);
  },
);
