import { nameSection } from '../block/name-section';
import { isSectionName } from '../block/sections';
import { type Artifact, isName } from '../language/loss-report';

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

function listItem(text: string): string {
  return `- ${text}`;
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
