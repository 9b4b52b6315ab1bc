import type { Artifact, LossReport } from './loss-report';
import type { SummaryRequest } from './summary';

/** What may be added to a block, as a share of its body's allowance. */
const allowanceShare = 0.25;

/** Below this weight, a name was mentioned too little or too long ago to be worth putting back. */
const leastWeight = 1;

/**
 * Puts dropped artifacts back, verbatim, most important first, into the section for artifacts: a repair adds to what
 * the summarizer wrote and never rewrites it.
 */
export function repair(
  body: string,
  { lost }: LossReport,
  request: SummaryRequest,
  room: number,
): { body: string; repaired: readonly string[] } {
  const section = artifactSection(request);
  const allowance = Math.min(room, Math.round(request.maxTokens * allowanceShare));
  const chosen: string[] = [];
  let left = allowance - request.countTokens(`\n\n## ${section}\n`);
  for (const { text, weight } of inOrder(lost)) {
    if (weight < leastWeight) continue;
    const tokens = request.countTokens(`- ${text}\n`);
    if (tokens > left) continue;
    left -= tokens;
    chosen.push(text);
  }
  return chosen.length === 0 ? { body, repaired: [] } : { body: withItems(body, section, chosen), repaired: chosen };
}

/** A person's constraints go before everything else: an agent can look a name up, but not a rule. */
function inOrder(lost: readonly Artifact[]): Artifact[] {
  return [...lost.filter(isRule), ...lost.filter((artifact) => !isRule(artifact))];
}

function isRule({ kind }: Artifact): boolean {
  return kind === 'constraint';
}

function artifactSection({ sections }: SummaryRequest): string {
  return sections.find((section) => section === 'Critical Artifacts') ?? 'Key Artifacts';
}

function withItems(body: string, section: string, items: readonly string[]): string {
  const lines = items.map((item) => `- ${item}`).join('\n');
  const heading = new RegExp(`^## ${section}[ \\t]*$`, 'm').exec(body);
  if (!heading) return `${body.trimEnd()}\n\n## ${section}\n${lines}`;
  const from = heading.index + heading[0].length;
  const next = body.indexOf('\n## ', from);
  const end = next === -1 ? body.length : next;
  return `${body.slice(0, end).trimEnd()}\n${lines}${next === -1 ? '' : `\n${body.slice(end)}`}`;
}
