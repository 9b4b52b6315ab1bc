import { nameSection } from '../block/name-section';
import { isSectionName } from '../block/sections';
import type { SummaryRequest } from '../block/summary';
import type { Artifact, LossReport } from '../language/loss-report';
import { isName, phraseMatcher } from '../language/loss-report';
import { listNames } from '../language/name-list';

/** Maximum length of a repair, as a share of the body's maximum length. */
const allowanceShare = 0.25;

/** Maximum share of a repair for the user's directions, so that names have room. */
const shareOfSentences = 0.5;

/** Artifacts with a lower weight, such as mentions far down in some output, are not put back. */
const minWeight = 0.2;

/**
 * Appends dropped artifacts verbatim: first the user's constraints, then their other directions, then names and errors
 * by weight. Never rewrites the summary. Artifacts in the protected core stand in the context anyway.
 */
export function repair(
  body: string,
  { lost }: LossReport,
  request: SummaryRequest,
  room: number,
): { body: string; repaired: readonly string[] } {
  const allowance = Math.min(room, Math.round(request.maxTokens * allowanceShare));
  const worthwhile = notInCore(lost, request).filter(({ weight, kind }) => isRule(kind) || weight >= minWeight);
  const section = nameSection(request.sections);
  const ruleSection = sectionsOfRules.find((name) => headingOf(name).test(body)) ?? section;
  const left = allowance - request.countTokens(section === null ? '\n\n' : `\n\n## ${section}\n`) - tokensToSpare;
  const { rules, lines, texts } = chosen(worthwhile, left, request);
  if (texts.length === 0) return { body, repaired: [] };
  const withRules = rules.length === 0 ? body : withLines(body, ruleSection, rules);
  return { body: lines.length === 0 ? withRules : withLines(withRules, section, lines), repaired: texts };
}

/** Appends all of these artifacts, whatever their length: a person asked for them. */
export function withPutBack(body: string, artifacts: readonly Artifact[]): string {
  const headings = [...body.matchAll(/^## (.+?)[ \t]*$/gm)].map(([, heading = '']) => heading);
  const sections = headings.filter(isSectionName);
  const section = nameSection(sections);
  const ruleSection = sectionsOfRules.find((name) => headingOf(name).test(body)) ?? section;
  const lineOf = ({ text }: Artifact) => listItem(text.replace(/\s+/g, ' '));
  const rules = artifacts.filter(({ kind }) => isRule(kind)).map(lineOf);
  const others = artifacts.filter((artifact) => !isRule(artifact.kind) && !isName(artifact)).map(lineOf);
  const names = artifacts.filter(isName).map(({ text }) => text);
  const lines = names.length === 0 ? others : [...others, listItem(names.join(', '))];
  const withRules = rules.length === 0 ? body : withLines(body, ruleSection, rules);
  return lines.length === 0 ? withRules : withLines(withRules, section, lines);
}

/** The user's rules go into one of these sections if the summary has one. */
const sectionsOfRules = ['Lasting Constraints', 'Constraints'];

function headingOf(section: string): RegExp {
  return new RegExp(`^## ${section}[ \\t]*$`, 'm');
}

/** Joining two texts can add a token or two. */
const tokensToSpare = 2;

function notInCore(lost: readonly Artifact[], { core }: SummaryRequest): Artifact[] {
  const inCore = phraseMatcher(
    core ? [core.original_goal ?? '', core.current_goal ?? '', ...core.hard_constraints].join('\n') : '',
  );
  return lost.filter(({ text }) => !inCore(text));
}

interface Chosen {
  /** Lines for the section of rules, if the block has one. */
  readonly rules: readonly string[];
  readonly lines: readonly string[];
  readonly texts: readonly string[];
}

function chosen(lost: readonly Artifact[], tokens: number, { countTokens }: SummaryRequest): Chosen {
  const rules = fitting(
    lost.filter(({ kind }) => isRule(kind)),
    tokens,
    countTokens,
  );
  const sentences = fitting(
    lost.filter(({ kind }) => kind === 'direction'),
    Math.min(rules.left, tokens * shareOfSentences),
    countTokens,
  );
  const used = tokens - rules.left + sentences.spent;
  const errors = fitting(
    lost.filter(({ kind }) => kind === 'error'),
    (tokens - used) * shareOfErrors,
    countTokens,
  );
  const others = [...sentences.texts, ...errors.texts];
  const texts = [...rules.texts, ...others];
  const names = listNames(lost.filter(isName), {
    tokens: tokens - used - errors.spent,
    countTokens,
    isCovered: phraseMatcher(texts.join('\n')),
  });
  return {
    rules: rules.texts.map(listItem),
    lines: [...others.map(listItem), ...names.lines],
    texts: [...texts, ...names.names.map(({ text }) => text)],
  };
}

function listItem(text: string): string {
  return `- ${text}`;
}

const shareOfErrors = 0.3;

function fitting(artifacts: readonly Artifact[], tokens: number, countTokens: (text: string) => number) {
  const texts: string[] = [];
  let left = tokens;
  for (const { text } of artifacts) {
    const cost = countTokens(`- ${text}\n`);
    if (cost > left) continue;
    left -= cost;
    texts.push(text);
  }
  return { texts, left, spent: tokens - left };
}

/** An agent can look up a name but not a rule, so rules come first, however old. */
function isRule(kind: Artifact['kind']): boolean {
  return kind === 'constraint';
}

/** Adds lines at the end of the section, as a new section, or in running text as a last paragraph. */
function withLines(body: string, section: string | null, added: readonly string[]): string {
  const lines = added.join('\n');
  if (section === null) return `${body.trimEnd()}\n\n${lines}`;
  const heading = headingOf(section).exec(body);
  if (!heading) return `${body.trimEnd()}\n\n## ${section}\n${lines}`;
  const from = heading.index + heading[0].length;
  const next = body.indexOf('\n## ', from);
  const end = next === -1 ? body.length : next;
  return `${body.slice(0, end).trimEnd()}\n${lines}${next === -1 ? '' : `\n${body.slice(end)}`}`;
}
