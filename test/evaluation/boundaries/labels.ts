import { readFile } from 'node:fs/promises';
import * as v from 'valibot';

/**
 * Labels of what a person needs who continues from a boundary. They were made by reading the session. README.md explains
 * the fields.
 */
const item = v.strictObject({
  said: v.string(),
  terms: v.pipe(v.array(v.string()), v.minLength(2), v.maxLength(4)),
  line: v.number(),
  expired: v.optional(v.boolean()),
});

const items = v.array(item);

const boundary = v.strictObject({
  session: v.string(),
  record: v.number(),
  kind: v.picklist(['agent', 'chosen']),
  half: v.picklist(['tune', 'held']),
  goal: item,
  originalGoal: v.optional(item),
  directions: items,
  decisions: items,
  findings: items,
  openWork: items,
  deadEnds: items,
  superseded: items,
});

const labels = v.strictObject({
  repository: v.string(),
  branch: v.string(),
  commit: v.string(),
  boundaries: v.array(boundary),
});

export type Item = v.InferOutput<typeof item>;
export type LabelledBoundary = v.InferOutput<typeof boundary>;
export type Labels = v.InferOutput<typeof labels>;

/** Rejects with the path of the first field that does not match README.md. */
export async function readLabels(file: string): Promise<Labels> {
  const parsed = v.safeParse(labels, JSON.parse(await readFile(file, 'utf8')), { abortEarly: true });
  if (parsed.success) return parsed.output;
  const [issue] = parsed.issues;
  throw new Error(`${file}: at ${v.getDotPath(issue) ?? 'the top'}: ${issue.message}`);
}

/** The sections in which a text is scored. `expired` directions need not be in it, so they are left out. */
export const sectionNames = [
  'goal',
  'originalGoal',
  'directions',
  'decisions',
  'findings',
  'openWork',
  'deadEnds',
] as const;

export type SectionName = (typeof sectionNames)[number];

export function itemsOf(labelled: LabelledBoundary, section: SectionName): readonly Item[] {
  const found = labelled[section];
  if (found === undefined) return [];
  return (Array.isArray(found) ? found : [found]).filter(({ expired }) => expired !== true);
}
