/** What an artifact is. Coding agents work on named things; losing a name forces its re-discovery (ADR 40). */
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
}

/** Sorts the artifacts by whether the text still has them, verbatim but for white space. */
export function reportLoss(artifacts: readonly Artifact[], blockText: string): LossReport {
  const text = oneSpaced(blockText);
  const isKept = (artifact: Artifact) => says(text, oneSpaced(artifact.text));
  return { kept: artifacts.filter(isKept), lost: artifacts.filter((artifact) => !isKept(artifact)) };
}

const partOfName = /[\w-]/;

/** Whether a text says it as a whole: `config.ts` is not said by `model-config.ts`. Folders may stand before a name. */
function says(text: string, said: string): boolean {
  for (let at = text.indexOf(said); at !== -1; at = text.indexOf(said, at + 1)) {
    const before = text[at - 1] ?? ' ';
    const after = text[at + said.length] ?? ' ';
    const startsThere = !partOfName.test(before) || !partOfName.test(said[0] ?? '');
    const endsThere = !partOfName.test(after) || !partOfName.test(said.at(-1) ?? '');
    if (startsThere && endsThere) return true;
  }
  return false;
}

function oneSpaced(text: string): string {
  return text.replace(/\s+/g, ' ');
}
