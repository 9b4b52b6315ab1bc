import type { Prompt } from '../block/language-model';
import { type Observation, type ObservationType, observationTypes, type SessionSummary } from '../block/memory';
import { inputText } from '../conversation/entry';
import { escapedForQuotation, quotation } from '../language/quotation';
import { excerpt } from './excerpt';
import { type Garbled, garbled, isObject, type JsonObject, jsonAnswer, textField, textsField } from './json-answer';
import { jsonPrompt } from './json-prompt';

/** One use of a tool, as an observer is shown it. */
export interface ToolUse {
  readonly name: string;
  readonly input: unknown;
  readonly outcome: string;
  readonly failed: boolean;
  /** What the person had asked for, where that is known. */
  readonly request: string | null;
}

/** What a model says of a tool use; the rest of an observation is known without it. */
export type ObservationFields = Pick<
  Observation,
  'type' | 'title' | 'subtitle' | 'facts' | 'narrative' | 'concepts' | 'filesRead' | 'filesModified'
>;

export type ObservationAnswer =
  | { readonly kind: 'observation'; readonly fields: ObservationFields }
  /** The tool use was routine. */
  | { readonly kind: 'nothing' }
  | Garbled;

/** claude-mem: parameters and outcome are each cut to this many characters. */
const longestSide = 16_000;
const longestRequest = 2_000;

/** claude-mem's vocabulary. */
export const observationConcepts = [
  'how-it-works',
  'why-it-exists',
  'what-changed',
  'problem-solution',
  'gotcha',
  'pattern',
  'trade-off',
] as const;

const subtitleWords = 24;
const mostConcepts = 5;

const role =
  'You observe a coding agent at work and write down what was built or learned, for later sessions to build on.';

export function observationPrompt(use: ToolUse): Prompt {
  return jsonPrompt(
    role,
    [
      'Record what this use of a tool built or taught. Where it was routine (a plain listing, a look without a finding, a',
      'check that passed as ever), answer {"observation": null}.',
      `- type: one of ${observationTypes.join(', ')}`,
      '- title: what happened, in a few words',
      `- subtitle: one sentence of at most ${subtitleWords} words`,
      '- facts: short statements that each stand alone, with names instead of pronouns, and exact values',
      '- narrative: what was done, how it works, why it matters',
      `- concepts: 2 to ${mostConcepts} of ${observationConcepts.join(', ')}`,
      '- files_read, files_modified: paths as they stand',
    ],
    '{"observation": {"type": "…", "title": "…", "subtitle": "…", "facts": ["…"], "narrative": "…", "concepts": ["…"], "files_read": ["…"], "files_modified": ["…"]}}',
    [
      ...(use.request === null
        ? []
        : [quotation('what the person had asked for', quotedSide(use.request, longestRequest))]),
      quotation(`the parameters of the tool "${escapedForQuotation(use.name)}"`, quotedSide(inputText(use.input))),
      quotation(use.failed ? 'its outcome, a failure' : 'its outcome', quotedSide(use.outcome)),
    ],
  );
}

function quotedSide(text: string, most = longestSide): string {
  return escapedForQuotation(excerpt(text, most));
}

export function parseObservation(answer: string): ObservationAnswer {
  const json = jsonAnswer(answer);
  if (json.kind === 'garbled') return json;
  const { observation } = json.value;
  if (observation === null) return { kind: 'nothing' };
  if (!isObject(observation)) return garbled('the answer holds no observation');
  const type = observationTypes.find((known) => known === observation.type);
  const title = textField(observation, 'title');
  const narrative = textField(observation, 'narrative');
  const facts = textsField(observation, 'facts');
  if (!type || title === null || narrative === null || facts === null) {
    return garbled('the observation lacks a known type, a title, a narrative or facts');
  }
  return { kind: 'observation', fields: fieldsOf(observation, { type, title, narrative, facts }) };
}

interface RequiredFields {
  readonly type: ObservationType;
  readonly title: string;
  readonly narrative: string;
  readonly facts: readonly string[];
}

function fieldsOf(observation: JsonObject, required: RequiredFields): ObservationFields {
  return {
    ...required,
    subtitle: firstWords(textField(observation, 'subtitle') ?? ''),
    concepts: (textsField(observation, 'concepts') ?? []).filter(isConcept).slice(0, mostConcepts),
    filesRead: textsField(observation, 'files_read') ?? [],
    filesModified: textsField(observation, 'files_modified') ?? [],
  };
}

function isConcept(concept: string): boolean {
  return (observationConcepts as readonly string[]).includes(concept);
}

function firstWords(text: string): string {
  return text.split(/\s+/).slice(0, subtitleWords).join(' ');
}

export type SessionSummaryFields = Omit<SessionSummary, 'id' | 'timestamp'>;

export type SessionSummaryAnswer = { readonly kind: 'summary'; readonly fields: SessionSummaryFields } | Garbled;

/** What a session summary is made from: what the person asked, and the observations as lines. */
export interface SessionRecord {
  readonly requests: readonly string[];
  readonly observations: readonly string[];
  /** The last thing that the agent said. */
  readonly lastReply: string | null;
}

export function sessionSummaryPrompt({ requests, observations, lastReply }: SessionRecord): Prompt {
  return jsonPrompt(
    role,
    [
      'Sum up this stretch of a session, each field in one to three sentences; an empty text where there is nothing to say.',
      '- request: what the person asked for',
      '- investigated: what was looked into',
      '- learned: what was found out',
      '- completed: what was finished',
      '- next_steps: what is to be done next',
      '- notes: anything else worth knowing',
    ],
    '{"request": "…", "investigated": "…", "learned": "…", "completed": "…", "next_steps": "…", "notes": "…"}',
    [
      quotation('what the person asked for', listOf(requests)),
      quotation('what was observed', listOf(observations)),
      ...(lastReply === null ? [] : [quotation('what the agent said last', quotedSide(lastReply, longestRequest))]),
    ],
  );
}

function listOf(texts: readonly string[]): string {
  return texts.map((text) => `- ${quotedSide(text, longestRequest)}`).join('\n');
}

export function parseSessionSummary(answer: string): SessionSummaryAnswer {
  const json = jsonAnswer(answer);
  if (json.kind === 'garbled') return json;
  const fields = {
    request: textField(json.value, 'request') ?? '',
    investigated: textField(json.value, 'investigated') ?? '',
    learned: textField(json.value, 'learned') ?? '',
    completed: textField(json.value, 'completed') ?? '',
    nextSteps: textField(json.value, 'next_steps') ?? '',
    notes: textField(json.value, 'notes') ?? '',
  };
  if (Object.values(fields).every((text) => text === '')) return garbled('the summary is empty');
  return { kind: 'summary', fields };
}
