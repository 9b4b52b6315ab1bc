import type { Prompt } from '../block/language-model';
import { type Observation, observationTypes, type SessionSummary } from '../block/memory';
import { inputText } from '../conversation/entry';
import { escapedForQuotation, quotation } from '../language/quotation';
import { localizable } from '../wording/localizable-text';
import { excerpt } from './excerpt';
import {
  answerOr,
  isObject,
  type JsonObject,
  jsonAnswer,
  type ParsedAnswer,
  textField,
  textsField,
  unusable,
} from './json-answer';
import { jsonPrompt } from './json-prompt';

export interface ToolUse {
  readonly name: string;
  readonly input: unknown;
  readonly outcome: string;
  readonly failed: boolean;
  /** The user's request that led to it; null if unknown. */
  readonly request: string | null;
}

/** Fields that a model writes about a tool use. The other fields of an observation are known without it. */
export type ObservationFields = Pick<
  Observation,
  'type' | 'title' | 'subtitle' | 'facts' | 'narrative' | 'concepts' | 'filesRead' | 'filesModified'
>;

/** In UTF-16 units, for the parameters and for the outcome. The limit of claude-mem. */
const maxQuotedLength = 16_000;
const maxRequestLength = 2_000;

/** The vocabulary of claude-mem. */
export const observationConcepts = [
  'how-it-works',
  'why-it-exists',
  'what-changed',
  'problem-solution',
  'gotcha',
  'pattern',
  'trade-off',
] as const;

export const subtitleWords = 24;
const maxConcepts = 5;

const role =
  'You observe a coding agent at work and record what was built or learned, so that later sessions can build on it.';

export function observationPrompt(use: ToolUse): Prompt {
  return jsonPrompt(
    role,
    [
      'Record what this use of a tool built or taught. If it was routine (a plain listing, a look without a finding, a check',
      'that passed as usual), answer {"observation": null}.',
      `- type: one of ${observationTypes.join(', ')}`,
      '- title: what happened, in a few words',
      `- subtitle: one sentence of at most ${subtitleWords} words`,
      '- facts: short self-contained statements with names instead of pronouns and with exact values',
      '- narrative: what was done, how it works, why it matters',
      `- concepts: 2 to ${maxConcepts} of ${observationConcepts.join(', ')}`,
      '- files_read, files_modified: literal paths',
    ],
    '{"observation": {"type": "…", "title": "…", "subtitle": "…", "facts": ["…"], "narrative": "…", "concepts": ["…"], "files_read": ["…"], "files_modified": ["…"]}}',
    [
      ...(use.request === null
        ? []
        : [quotation('what the person had asked for', quotedText(use.request, maxRequestLength))]),
      quotation(`the parameters of the tool "${escapedForQuotation(use.name)}"`, quotedText(inputText(use.input))),
      quotation(use.failed ? 'its outcome, a failure' : 'its outcome', quotedText(use.outcome)),
    ],
  );
}

function quotedText(text: string, most = maxQuotedLength): string {
  return escapedForQuotation(excerpt(text, most));
}

/** `nothing`: the tool use was routine. */
export function parseObservation(answer: string): ParsedAnswer<ObservationFields | 'nothing'> {
  return jsonAnswer<ObservationFields | 'nothing'>(answer, ({ observation }) => {
    if (observation === null) return { kind: 'answer', value: 'nothing' };
    if (!isObject(observation)) return unusable(localizable('the answer has no observation'));
    const lacking = localizable('the observation lacks a known type, a title, a narrative or facts');
    return answerOr(lacking, fieldsOf(observation));
  });
}

/** Null if a field is missing that each observation has. */
function fieldsOf(observation: JsonObject): ObservationFields | null {
  const type = observationTypes.find((known) => known === observation.type);
  const title = textField(observation, 'title');
  const narrative = textField(observation, 'narrative');
  const facts = textsField(observation, 'facts');
  if (!type || title === null || narrative === null || facts === null) return null;
  return {
    ...{ type, title, narrative, facts },
    subtitle: firstWords(textField(observation, 'subtitle') ?? ''),
    concepts: (textsField(observation, 'concepts') ?? []).filter(isConcept).slice(0, maxConcepts),
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

/** The input for a session summary: the user's requests, and one line for each observation. */
interface SessionRecord {
  readonly requests: readonly string[];
  readonly observations: readonly string[];
  /** The agent's last message. */
  readonly lastReply: string | null;
}

export function sessionSummaryPrompt({ requests, observations, lastReply }: SessionRecord): Prompt {
  return jsonPrompt(
    role,
    [
      'Summarise this part of a session. Each field has one to three sentences, or an empty text if there is nothing to say.',
      '- request: what the person asked for',
      '- investigated: what was examined',
      '- learned: what was found out',
      '- completed: what was finished',
      '- next_steps: what is to be done next',
      '- notes: anything else worth knowing',
    ],
    '{"request": "…", "investigated": "…", "learned": "…", "completed": "…", "next_steps": "…", "notes": "…"}',
    [
      quotation('what the person asked for', listOf(requests)),
      quotation('what was observed', listOf(observations)),
      ...(lastReply === null ? [] : [quotation('what the agent said last', quotedText(lastReply, maxRequestLength))]),
    ],
  );
}

function listOf(texts: readonly string[]): string {
  return texts.map((text) => `- ${quotedText(text, maxRequestLength)}`).join('\n');
}

export function parseSessionSummary(answer: string): ParsedAnswer<SessionSummaryFields> {
  return jsonAnswer(answer, (summary) => {
    const field = (name: string) => textField(summary, name) ?? '';
    const fields = {
      request: field('request'),
      investigated: field('investigated'),
      learned: field('learned'),
      completed: field('completed'),
      nextSteps: field('next_steps'),
      notes: field('notes'),
    };
    const isEmpty = Object.values(fields).every((text) => text === '');
    return answerOr(localizable('the summary is empty'), isEmpty ? null : fields);
  });
}
