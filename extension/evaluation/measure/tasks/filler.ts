import type { Random } from '../random';
import type { FillerKind } from './task';

/** Realistic tool output without information about the task, and without names that a summary should keep. */
export function fillerOf(kind: FillerKind, lines: number, random: Random): string {
  return Array.from({ length: lines }, (_, index) => line[kind](random, index)).join('\n');
}

const components = [
  'ingest',
  'render',
  'socket',
  'parser',
  'cache',
  'worker',
  'mailer',
  'indexer',
  'gateway',
  'exporter',
];
const things = ['batch', 'frame', 'request', 'record', 'chunk', 'snapshot', 'packet', 'digest', 'cursor', 'segment'];
const states = [
  'opened',
  'closed',
  'received',
  'flushed',
  'resumed',
  'accepted',
  'skipped',
  'rotated',
  'merged',
  'sent',
];
const words =
  'amber basin cedar delta ember fjord grove haven inlet jetty knoll larch mesa north orbit pearl quartz ridge slate tidal upland vale willow'.split(
    ' ',
  );

const line: Readonly<Record<FillerKind, (random: Random, index: number) => string>> = {
  log: (random, index) =>
    `${clock(index * 7 + random.below(7))} [${random.oneOf(components)}] ${random.oneOf(things)} ${identifier(random)} ${random.oneOf(states)} in ${1 + random.below(90)} units, ${random.below(4000)} bytes`,
  listing: (random) =>
    `-rw-r--r-- 1 dev dev ${String(200 + random.below(90_000)).padStart(6)} ${random.oneOf(words)}/${random.oneOf(components)}-${random.oneOf(things)}-${random.below(100)}.${random.oneOf(['dat', 'tmp', 'bin', 'map'])}`,
  code: (random, index) =>
    `  const ${random.oneOf(words)}${index} = ${random.oneOf(components)}.${random.oneOf(things)}(${random.below(500)}, '${random.oneOf(words)}-${random.below(100)}');`,
  table: (random, index) =>
    `| ${index + 1} | ${random.oneOf(words)} ${random.oneOf(things)} | ${random.below(1000)} | ${random.below(100)}.${random.below(10)} | ${random.oneOf(states)} |`,
  prose: (random) =>
    `The ${random.oneOf(words)} ${random.oneOf(components)} ${random.oneOf(states)} a ${random.oneOf(things)} near the ${random.oneOf(words)} ${random.oneOf(things)}, and the ${random.oneOf(words)} one came after it.`,
};

function clock(seconds: number): string {
  const two = (value: number) => String(value).padStart(2, '0');
  return `${two(8 + (Math.floor(seconds / 3600) % 12))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
}

function identifier(random: Random): string {
  return `${random.oneOf(words)}-${random.below(9000) + 1000}`;
}
