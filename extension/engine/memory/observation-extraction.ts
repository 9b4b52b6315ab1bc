import type { ObservationType } from '../block/memory';
import { brief, firstWords, unique } from '../conversation/text';
import { sentencesOf } from '../language/sentences';
import { commandOf, pathOf, type ToolStep } from '../ledger/steps';
import type { ObservationFields } from '../prompts/observations';
import type { ObservedWork } from './observed-work';
import { isSensitive, stepFact } from './tool-facts';

const titleLength = 100;
const subjectLength = 50;
const partsOfPath = 3;
const subtitleWords = 24;
const maxFacts = 5;
const narrativeSentences = 4;

/** Builds an observation without a model: facts from calls and outcomes, words from the agent's messages. */
export function extractedFields(observed: ObservedWork): ObservationFields {
  const type = typeOf(observed);
  const work = type === 'sensitive' ? withoutSecrets(observed) : observed;
  const notable = work.steps.filter(isNotable);
  const sentences = work.remarks.map(({ text }) => text);
  return {
    type,
    title: titleOf(work),
    subtitle: firstWords(work.finding ?? sentences[0] ?? sentencesOf(work.request)[0] ?? '', subtitleWords),
    facts: unique([...(work.finding === null ? [] : [work.finding]), ...notable.map(stepFact)]).slice(-maxFacts),
    narrative: sentences.slice(0, narrativeSentences).join(' '),
    concepts: conceptsOf(work, type),
    filesRead: unique(work.steps.filter(({ kind }) => kind === 'look').map(pathOrNothing)),
    filesModified: unique(work.steps.filter(isChange).map(pathOrNothing)),
  };
}

/** Removes what was said about secret files and what tools returned: either may contain the secrets. */
function withoutSecrets(work: ObservedWork): ObservedWork {
  const steps = work.steps.map((step) => ({
    ...step,
    problem: step.problem === null ? null : 'for an undisclosed reason',
  }));
  return { ...work, steps, finding: null, remarks: [] };
}

/** Looks are covered by the list of files. */
function isNotable({ kind, problem }: ToolStep): boolean {
  return kind !== 'look' || problem !== null;
}

function isChange({ kind, problem }: ToolStep): boolean {
  return kind === 'change' && problem === null;
}

function pathOrNothing({ call }: ToolStep): string {
  return pathOf(call) ?? '';
}

/** The end of a path says more than its beginning. */
function endOfPath(path: string): string {
  const parts = path.split('/');
  return parts.length <= partsOfPath ? path : `…/${parts.slice(-partsOfPath).join('/')}`;
}

const verbs: Readonly<Record<ToolStep['kind'], string>> = { change: 'changed', run: 'ran', look: 'looked at' };

function titleOf({ steps, finding }: ObservedWork): string {
  const last = steps.at(-1);
  if (finding !== null || !last) return brief(finding ?? '', titleLength);
  const path = pathOf(last.call);
  const subject = path === null ? brief(commandOf(last.subject), subjectLength) : endOfPath(path);
  if (last.problem !== null) return brief(`${subject} failed: ${last.problem}`, titleLength);
  return brief(`${verbs[last.kind]} ${subject}`, titleLength);
}

const wordings: readonly (readonly [ObservationType, RegExp])[] = [
  ['security_alert', /\b(?:vulnerab\w+|exploit\w*|injection|CVE-\d+|leaked|exposed secret)\b/i],
  ['security_note', /\b(?:security|permission checks?|sanitiz\w+|authenticat\w+|authoriz\w+)\b/i],
  ['bugfix', /\b(?:fix(?:ed|es|ing)?|bugs?|broken|crash\w*|regression|wrong)\b/i],
  ['refactor', /\b(?:refactor\w*|rename[ds]?|extract(?:ed)?|move[ds]?|clean(?:ed)? up|simplif\w+|split)\b/i],
  ['feature', /\b(?:add(?:ed|s|ing)?|implement\w*|creat(?:e[ds]?|ing)|introduc\w+)\b/i],
];

/** Decided by the files touched, then by the outcome, then by the words of the agent and the user. */
function typeOf(work: ObservedWork): ObservationType {
  const { steps, finding, remarks, request } = work;
  const agentText = remarks.map(({ text }) => text).join('\n');
  if (steps.some(isSensitive)) return 'sensitive';
  const worded = (text: string) => wordings.find(([, words]) => words.test(text))?.[0];
  const security = worded(agentText)?.startsWith('security') ? worded(agentText) : undefined;
  if (security !== undefined) return security;
  if (!steps.some(isChange)) return finding === null && hasDecision(work) ? 'decision' : 'discovery';
  return worded(agentText) ?? worded(request) ?? 'change';
}

function hasDecision({ remarks }: ObservedWork): boolean {
  return remarks.some(({ kind }) => kind === 'decision');
}

/** From claude-mem's vocabulary, two for each type. A failure or a decision adds one. */
const concepts: Readonly<Record<ObservationType, readonly string[]>> = {
  bugfix: ['problem-solution', 'what-changed'],
  feature: ['what-changed', 'how-it-works'],
  refactor: ['what-changed', 'pattern'],
  change: ['what-changed', 'why-it-exists'],
  discovery: ['how-it-works', 'why-it-exists'],
  decision: ['trade-off', 'why-it-exists'],
  security_alert: ['gotcha', 'problem-solution'],
  security_note: ['gotcha', 'how-it-works'],
  sensitive: ['what-changed', 'gotcha'],
};

function conceptsOf(work: ObservedWork, type: ObservationType): string[] {
  const wentWrong = work.steps.some(({ problem }) => problem !== null);
  return unique([...concepts[type], ...(wentWrong ? ['gotcha'] : []), ...(hasDecision(work) ? ['trade-off'] : [])]);
}
