import type { RecallQuestion } from '../lookup/recall-answer';
import { type Definition, type FieldSchema, toolDefinitions } from './definitions';
import { type ToolKey, toolNames } from './tool-names';

/** The input of a tool does not match its schema. The message is for the calling model. */
export class ToolInputRefused extends Error {
  override name = 'ToolInputRefused';
}

type FieldsOf<Key extends ToolKey> = (typeof toolDefinitions)[Key]['fields'];
type RequiredOf<Key extends ToolKey> = (typeof toolDefinitions)[Key] extends {
  readonly required: readonly (infer Name)[];
}
  ? Name
  : never;
type ValueOf<Field> = Field extends { readonly enum: (infer Choice)[] }
  ? Choice
  : Field extends { readonly type: 'string' }
    ? string
    : Field extends { readonly type: 'integer' }
      ? number
      : readonly string[];

/** The fields of a tool's input. Those that are neither required nor have a default are null if they are absent. */
type InputOf<Key extends ToolKey> = {
  readonly [Name in keyof FieldsOf<Key>]: Name extends RequiredOf<Key>
    ? ValueOf<FieldsOf<Key>[Name]>
    : FieldsOf<Key>[Name] extends { readonly default: number }
      ? number
      : ValueOf<FieldsOf<Key>[Name]> | null;
};

/** Reads a tool's input by its schema. Throws `ToolInputRefused`. Null counts as absent, because many models fill in all fields. */
export function readInput<Key extends ToolKey>(key: Key, input: unknown): InputOf<Key> {
  const tool = toolNames[key];
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    throw new ToolInputRefused(`${tool}: the input must be an object, but it is ${described(input)}.`);
  }
  const { fields, required = [] }: Definition = toolDefinitions[key];
  const names = Object.keys(fields);
  const unknown = Object.keys(input).find((name) => !names.includes(name));
  if (unknown !== undefined)
    throw new ToolInputRefused(`${tool}: there is no field "${unknown}". Its fields are ${names.join(', ')}.`);
  const given: Readonly<Record<string, unknown>> = { ...input };
  const values = Object.entries(fields).map(([name, field]) => {
    const value = given[name] ?? undefined;
    if (value !== undefined || required.includes(name)) return [name, valueIn(value, field, { tool, name })];
    return [name, 'default' in field ? field.default : null];
  });
  return Object.fromEntries(values);
}

interface Place {
  readonly tool: string;
  readonly name: string;
}

function valueIn(value: unknown, field: FieldSchema, place: Place): unknown {
  if ('enum' in field) {
    return field.enum.find((choice) => choice === value) ?? refuse(place, `one of ${field.enum.join(', ')}`, value);
  }
  switch (field.type) {
    case 'string':
      return textIn(value, field.maxLength, place);
    case 'integer': {
      const { minimum, maximum = Number.POSITIVE_INFINITY } = field;
      if (typeof value === 'number' && Number.isInteger(value) && value >= minimum && value <= maximum) return value;
      return refuse(
        place,
        `a whole number from ${minimum} ${field.maximum === undefined ? 'on' : `to ${maximum}`}`,
        value,
      );
    }
    case 'array': {
      const wanted = `a list of ${field.minItems} to ${field.maxItems} texts`;
      if (!Array.isArray(value) || value.length < field.minItems || value.length > field.maxItems) {
        return refuse(place, wanted, value);
      }
      return value.map((item: unknown) => (isText(item) ? item : refuse(place, wanted, item)));
    }
  }
}

function textIn(value: unknown, longest: number, place: Place): string {
  if (!isText(value)) return refuse(place, 'a text', value);
  if (value.length <= longest) return value;
  const { tool, name } = place;
  throw new ToolInputRefused(`${tool}: "${name}" may have ${longest} characters at most, but it has ${value.length}.`);
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}

function refuse({ tool, name }: Place, wanted: string, value: unknown): never {
  throw new ToolInputRefused(`${tool}: "${name}" must be ${wanted}, but it is ${described(value)}.`);
}

const maxShownLength = 60;

function described(value: unknown): string {
  if (value === undefined) return 'missing';
  if (typeof value === 'string' && value.trim() === '') return 'empty';
  const text = JSON.stringify(value) ?? typeof value;
  return text.length <= maxShownLength ? text : `${text.slice(0, maxShownLength)}…`;
}

type SessionInput =
  | { readonly kind: 'list'; readonly maxTokens: number }
  | { readonly kind: 'ask'; readonly session: string; readonly question: string; readonly maxTokens: number };

export function readSessionInput(input: unknown): SessionInput {
  const { session, question, maxTokens } = readInput('session', input);
  if (session === null) return { kind: 'list', maxTokens };
  const place = { tool: toolNames.session, name: 'question' };
  if (question === null) return refuse(place, 'what you want to know of the session', undefined);
  return { kind: 'ask', session, question, maxTokens };
}

interface RecallInput {
  readonly session: string | null;
  readonly question: RecallQuestion;
  readonly maxTokens: number;
}

export function readRecallInput(input: unknown): RecallInput {
  const { query, around: id, ids, session, maxTokens } = readInput('recall', input);
  const questions: readonly (RecallQuestion | null)[] = [
    query === null ? null : { kind: 'search', query },
    id === null ? null : { kind: 'around', id },
    ids === null ? null : { kind: 'fetch', ids },
  ];
  const [question, ...others] = questions.filter((asked) => asked !== null);
  if (question === undefined || others.length > 0) {
    throw new ToolInputRefused(`${toolNames.recall}: give exactly one of "query", "around" and "ids".`);
  }
  return { question, session, maxTokens };
}
