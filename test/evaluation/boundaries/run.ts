import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { readLabels } from './labels';
import { scoreTable } from './score-table';
import { scoreAll } from './scoring';

const usage =
  'node test/evaluation/boundaries/score.ts LABELS.json SESSIONS_FOLDER [--half tune|held] [--strategy NAME] [--target default|equal] [--json FILE]';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    half: { type: 'string' },
    strategy: { type: 'string', default: 'ladder' },
    target: { type: 'string', default: 'default' },
    json: { type: 'string' },
  },
});

const [labelsFile, folder] = positionals;
const half = oneOf(values.half ?? 'both', ['both', 'tune', 'held']);
const target = oneOf(values.target, ['default', 'equal']);
if (labelsFile === undefined || folder === undefined) throw new Error(usage);

const labels = await readLabels(labelsFile);
const { strategy } = values;
const scores = await scoreAll(
  { labels, folder, half: half === 'both' ? null : half, strategy, target },
  ({ session, record }) => console.error(`${session} ${record}`),
);
console.log(`${labels.repository}, ${strategy}, target ${target}, half ${half}`);
console.log(scoreTable(scores));
if (values.json !== undefined) {
  await writeFile(values.json, `${JSON.stringify({ strategy, target, half, scores }, null, 1)}\n`);
}

function oneOf<const Name extends string>(value: string, names: readonly Name[]): Name {
  const name = names.find((known) => known === value);
  if (name === undefined) throw new Error(`"${value}" is none of ${names.join(', ')}\n${usage}`);
  return name;
}
