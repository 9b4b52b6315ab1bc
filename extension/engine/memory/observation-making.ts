import type { Observation } from '../block/memory';
import type { SummaryRequest } from '../block/summary';
import { replacedEntries } from '../compaction/request';
import { brief } from '../conversation/text';
import type { ToolStep } from '../ledger/steps';
import { type ObservationFields, observationPrompt, parseObservation, type ToolUse } from '../prompts/observations';
import { memoryId } from './identity';
import type { Inquiry } from './inquiry';
import { extractedFields } from './observation-extraction';
import { type ObservedWork, observedWorkOf } from './observed-work';
import { isSensitive } from './tool-facts';

export interface MadeObservations {
  /** Oldest first. */
  readonly made: readonly Observation[];
  /** Amount of older work without an observation. */
  readonly leftOut: number;
}

const answerTokens = 800;

/** Makes observations of the replaced entries. Work that has an observation already is skipped. */
export async function makeObservations(
  request: SummaryRequest,
  known: ReadonlySet<string>,
  maxObservations: number,
  inquiry: Inquiry,
): Promise<MadeObservations> {
  const works = observedWorkOf(replacedEntries(request), request.countTokens).filter((work) => !known.has(idOf(work)));
  const newest = works.slice(-maxObservations);
  const made = await inquiry.forEach(newest, (work) => observe(work, inquiry));
  return { made: made.filter((observation) => observation !== null), leftOut: works.length - newest.length };
}

function idOf({ entryIds, steps, finding }: ObservedWork): string {
  return memoryId('o', ...entryIds, ...steps.map(({ call }) => call.callId), finding ?? '');
}

/** Work on secret files is never shown to another model. */
async function observe(work: ObservedWork, inquiry: Inquiry): Promise<Observation | null> {
  if (work.steps.some(isSensitive)) return observation(work, extractedFields(work), 'extraction');
  const answer = await inquiry.ask({
    prompt: () => observationPrompt(useOf(work)),
    maxTokens: answerTokens,
    read: parseObservation,
  });
  if (answer === null) return observation(work, extractedFields(work), 'extraction');
  return answer === 'nothing' ? null : observation(work, completed(answer, work), 'model');
}

const minConcepts = 2;

/** Limits for the model's answer: a whole observation should take 500 to 1,000 tokens. */
const limits = { titleLength: 120, narrativeLength: 2500, facts: 10 };

/** Fills in from the calls what the model left empty. */
function completed(fields: ObservationFields, work: ObservedWork): ObservationFields {
  const own = extractedFields(work);
  return {
    ...fields,
    title: brief(fields.title, limits.titleLength),
    narrative: brief(fields.narrative, limits.narrativeLength),
    subtitle: fields.subtitle || own.subtitle,
    facts: fields.facts.length > 0 ? fields.facts.slice(0, limits.facts) : own.facts,
    concepts: fields.concepts.length >= minConcepts ? fields.concepts : own.concepts,
    filesRead: fields.filesRead.length > 0 ? fields.filesRead : own.filesRead,
    filesModified: fields.filesModified.length > 0 ? fields.filesModified : own.filesModified,
  };
}

function observation(work: ObservedWork, fields: ObservationFields, by: Observation['by']): Observation {
  const { entryIds, timestamp, tokens } = work;
  return { id: idOf(work), ...fields, discoveryTokens: tokens, timestamp, entryIds, by };
}

/** Combines several steps into one tool use. Each part is labelled with its tool. */
function useOf({ steps, request, finding }: ObservedWork): ToolUse {
  const [only] = steps;
  const failed = steps.some(({ problem }) => problem !== null);
  const conclusion = finding === null ? '' : `\n\nThe agent concluded: ${finding}`;
  const outcome = steps.length === 1 && only ? outcomeOf(only) : steps.map(namedOutcome).join('\n\n');
  return {
    name: [...new Set(steps.map(({ call }) => call.name))].join(', '),
    input: steps.length === 1 ? only?.call.input : steps.map(({ call }) => ({ tool: call.name, input: call.input })),
    outcome: `${outcome}${conclusion}`,
    failed,
    request: request === '' ? null : request,
  };
}

function outcomeOf({ result }: ToolStep): string {
  return result?.text ?? 'No result is known.';
}

function namedOutcome(step: ToolStep): string {
  return `[${step.call.name}]\n${outcomeOf(step)}`;
}
