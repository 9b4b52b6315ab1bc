/** The kinds of artifacts. Coding agents work on named things; an agent that loses a name has to discover it again. */
export const artifactKinds = ['file', 'identifier', 'error', 'test', 'number', 'constraint', 'direction'] as const;

export type ArtifactKind = (typeof artifactKinds)[number];

/** A named thing, or a sentence of the user, in the entries that a block replaces. */
export interface Artifact {
  readonly kind: ArtifactKind;
  /** Verbatim. */
  readonly text: string;
  /** The newest entries that contain it, oldest first, at most three. */
  readonly entryIds: readonly string[];
  /** Sum of its mentions, weighted by recency. A higher weight matters more to later work. */
  readonly weight: number;
}

/**
 * Which artifacts of the replaced entries the block still contains. Computed without a model; ordered by weight,
 * highest first.
 */
export interface LossReport {
  readonly kept: readonly Artifact[];
  readonly lost: readonly Artifact[];
  /** Counts of names and numbers too light to be listed; absent if there are none. */
  readonly omitted?: { readonly kept: number; readonly lost: number };
  /** Absent if the replaced entries have only names of it, and in records of older versions. */
  readonly matters?: Matters;
}

/** What later work needs of the replaced entries, by kind, most important first. */
export const matterKinds = ['goal', 'direction', 'decision', 'finding', 'open', 'name'] as const;

export type MatterKind = (typeof matterKinds)[number];

/** How much of what matters is in the block or in the core, word for word or in other words. */
export interface Matters {
  /** 0 to 1, over all kinds that there are, by their weight. */
  readonly share: number;
  readonly kinds: readonly KeptMatters[];
}

export interface KeptMatters {
  readonly kind: MatterKind;
  /** 0 to 1, by weight. */
  readonly share: number;
  /** Counts. */
  readonly kept: number;
  readonly total: number;
  /** Heaviest first, at most twenty. */
  readonly lost: readonly { readonly text: string; readonly entryId: string }[];
}

/** A share in percent. 100 only if nothing is missing. */
export function percentKept(share: number): number {
  return share < 1 ? Math.min(99, Math.round(share * 100)) : 100;
}

/** Counts of all artifacts, listed or not. */
export function lossCounts({ kept, lost, omitted = { kept: 0, lost: 0 } }: LossReport) {
  return { kept: kept.length + omitted.kept, lost: lost.length + omitted.lost };
}

/** Maximum number of names that are listed. A long session names thousands, most of which no longer matter. */
const maxNames = 300;

/** Splits artifacts by whether the text contains them, ignoring white space. */
export function reportLoss(artifacts: readonly Artifact[], blockText: string): LossReport {
  const listed = new Set(heaviest(artifacts));
  const contains = phraseMatcher(blockText);
  const kept = artifacts.filter(({ text }) => contains(text));
  const isKept = new Set(kept);
  const lost = artifacts.filter((artifact) => !isKept.has(artifact));
  const isListed = (artifact: Artifact) => listed.has(artifact);
  const report = { kept: kept.filter(isListed), lost: lost.filter(isListed) };
  const omitted = { kept: kept.length - report.kept.length, lost: lost.length - report.lost.length };
  return { ...report, ...(omitted.kept + omitted.lost === 0 ? {} : { omitted }) };
}

/** All errors and sentences of the user, and the heaviest names and numbers. */
function heaviest(artifacts: readonly Artifact[]): Artifact[] {
  let names = 0;
  return artifacts.filter((artifact) => {
    if (!isName(artifact) && artifact.kind !== 'number') return true;
    names += 1;
    return names <= maxNames;
  });
}

/** Whether an artifact is a name that can be looked up again. */
export function isName({ kind }: Artifact): boolean {
  return kind === 'file' || kind === 'test' || kind === 'identifier';
}

/** Says once what the paths of a block have in common, so that the paths can be short. */
export function rootLine(root: string): string {
  return `- Paths are relative to ${root}`;
}

/** The folders that paths of a text are relative to, as its lines say. */
export function statedRoots(text: string): string[] {
  return [...text.matchAll(/^- Paths are relative to (\S+)$/gm)].map(([, root = '']) => root);
}

/**
 * Returns a function that tells whether the text contains a phrase, ignoring white space. A path is contained too if the
 * text has it relative to a folder that it names.
 */
export function phraseMatcher(text: string): (phrase: string) => boolean {
  const spelled = oneSpaced([text, ...expandedPaths(text)].join('\n'));
  const roots = statedRoots(text);
  return (phrase) => {
    const whole = oneSpaced(phrase);
    if (containsWhole(spelled, whole)) return true;
    return roots.some((root) => whole.startsWith(root) && containsWhole(spelled, whole.slice(root.length)));
  };
}

const partOfName = /[\p{L}\p{N}_-]/u;
const withoutSpaces = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u;

/**
 * Whether the phrase is in the text as a whole: `model-config.ts` does not contain `config.ts`, but `src/config.ts`
 * does.
 */
function containsWhole(text: string, phrase: string): boolean {
  const opens = continuesName(phrase[0]);
  const closes = continuesName(phrase.at(-1));
  for (let at = text.indexOf(phrase); at !== -1; at = text.indexOf(phrase, at + 1)) {
    if (!(opens && continuesName(text[at - 1])) && !(closes && continuesName(text[at + phrase.length]))) return true;
  }
  return false;
}

function continuesName(character: string | undefined): boolean {
  return character !== undefined && partOfName.test(character) && !withoutSpaces.test(character);
}

const maxFolderLength = 200;
const maxListLength = 4000;
const notInPath = /[\s{},"'`]/;

/** Expands paths in shell notation: `src/{plan.ts,run.ts}`. */
function expandedPaths(text: string): string[] {
  const paths: string[] = [];
  for (let at = text.indexOf('/{'); at !== -1; at = text.indexOf('/{', at + 1)) {
    const list = /^[^\s{}]+(?=\})/.exec(text.slice(at + 2, at + 2 + maxListLength))?.[0];
    if (list === undefined) continue;
    const folder = folderBefore(text, at);
    paths.push(...list.split(',').map((item) => `${folder}/${item}`));
  }
  return paths;
}

function folderBefore(text: string, end: number): string {
  let start = end;
  while (start > 0 && end - start < maxFolderLength && !notInPath.test(text[start - 1] ?? ' ')) start -= 1;
  return text.slice(start, end);
}

function oneSpaced(text: string): string {
  return text.replace(/\s+/g, ' ');
}
