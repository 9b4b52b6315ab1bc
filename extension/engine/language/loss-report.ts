/** What counts as an artifact. Coding agents work on named things; an agent that loses a name has to discover it again. */
export const artifactKinds = ['file', 'identifier', 'error', 'test', 'number', 'constraint', 'direction'] as const;

export type ArtifactKind = (typeof artifactKinds)[number];

/** One named thing, or one sentence of the person, in the entries that a block replaces. */
export interface Artifact {
  readonly kind: ArtifactKind;
  /** Verbatim. */
  readonly text: string;
  /** The newest entries that contain it, oldest first; at most three. */
  readonly entryIds: readonly string[];
  /** Recency-weighted use: each mention counts, the newer the more. Higher matters more to later work. */
  readonly weight: number;
}

/**
 * Which artifacts of the replaced entries are still in the block and which are gone, computed without a model.
 * Ordered by weight, highest first.
 */
export interface LossReport {
  readonly kept: readonly Artifact[];
  readonly lost: readonly Artifact[];
  /** How many names and numbers too light to be listed are kept and lost besides; absent for none. */
  readonly omitted?: { readonly kept: number; readonly lost: number };
}

/** All that a report is about, listed or not. */
export function lossCounts({ kept, lost, omitted = { kept: 0, lost: 0 } }: LossReport) {
  return { kept: kept.length + omitted.kept, lost: lost.length + omitted.lost };
}

/** As many names as can matter to the work that follows; a long session names thousands. */
const mostNames = 300;

/** Sorts the artifacts by whether the text still has them, verbatim but for white space. */
export function reportLoss(artifacts: readonly Artifact[], blockText: string): LossReport {
  const listed = new Set(heaviest(artifacts));
  const holds = holder(blockText);
  const kept = artifacts.filter(({ text }) => holds(text));
  const isKept = new Set(kept);
  const lost = artifacts.filter((artifact) => !isKept.has(artifact));
  const isListed = (artifact: Artifact) => listed.has(artifact);
  const report = { kept: kept.filter(isListed), lost: lost.filter(isListed) };
  const omitted = { kept: kept.length - report.kept.length, lost: lost.length - report.lost.length };
  return { ...report, ...(omitted.kept + omitted.lost === 0 ? {} : { omitted }) };
}

/** What the person said and what went wrong is reported in full; of the names, the heaviest. */
function heaviest(artifacts: readonly Artifact[]): Artifact[] {
  let names = 0;
  return artifacts.filter((artifact) => {
    if (!isName(artifact) && artifact.kind !== 'number') return true;
    names += 1;
    return names <= mostNames;
  });
}

/** What is found again by its name. */
export function isName({ kind }: Artifact): boolean {
  return kind === 'file' || kind === 'test' || kind === 'identifier';
}

/** Tells of each text whether this one says it, verbatim but for white space. */
export function holder(text: string): (said: string) => boolean {
  const spelled = oneSpaced([text, ...spelledOut(text)].join('\n'));
  return (said) => says(spelled, oneSpaced(said));
}

const partOfName = /[\p{L}\p{N}_-]/u;
const withoutSpaces = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u;

/** Whether a text says it as a whole: `config.ts` is not said by `model-config.ts`. Folders may stand before a name. */
function says(text: string, said: string): boolean {
  const opens = goesOn(said[0]);
  const closes = goesOn(said.at(-1));
  for (let at = text.indexOf(said); at !== -1; at = text.indexOf(said, at + 1)) {
    if (!(opens && goesOn(text[at - 1])) && !(closes && goesOn(text[at + said.length]))) return true;
  }
  return false;
}

function goesOn(character: string | undefined): boolean {
  return character !== undefined && partOfName.test(character) && !withoutSpaces.test(character);
}

const longestFolder = 200;
const longestList = 4000;
const notInPath = /[\s{},"'`]/;

/** The paths that a text writes as a folder and a list, as a shell would read `src/{plan.ts,run.ts}`. */
function spelledOut(text: string): string[] {
  const paths: string[] = [];
  for (let at = text.indexOf('/{'); at !== -1; at = text.indexOf('/{', at + 1)) {
    const list = /^[^\s{}]+(?=\})/.exec(text.slice(at + 2, at + 2 + longestList))?.[0];
    if (list === undefined) continue;
    const folder = folderBefore(text, at);
    paths.push(...list.split(',').map((item) => `${folder}/${item}`));
  }
  return paths;
}

function folderBefore(text: string, end: number): string {
  let start = end;
  while (start > 0 && end - start < longestFolder && !notInPath.test(text[start - 1] ?? ' ')) start -= 1;
  return text.slice(start, end);
}

function oneSpaced(text: string): string {
  return text.replace(/\s+/g, ' ');
}
