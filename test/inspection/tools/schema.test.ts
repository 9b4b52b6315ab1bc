import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contextTools } from '../../../extension/inspection/tools/definitions';
import {
  readInput,
  readRecallInput,
  readSessionInput,
  ToolInputRefused,
} from '../../../extension/inspection/tools/tool-input';
import { toolNames } from '../../../extension/inspection/tools/tool-names';

/** Tests that a tool accepts exactly what its schema in package.json allows. */

interface Field {
  readonly type: 'string' | 'integer' | 'array';
  readonly enum?: readonly string[];
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly items?: Field;
}

interface ContributedTool {
  readonly name: string;
  readonly modelDescription: string;
  readonly inputSchema: {
    readonly properties: Readonly<Record<string, Field>>;
    readonly required?: readonly string[];
    readonly additionalProperties: boolean;
  };
}

const manifest = JSON.parse(readFileSync(resolve(import.meta.dirname, '../../../package.json'), 'utf8'));
const tools: readonly ContributedTool[] = manifest.contributes.languageModelTools ?? [];

const readers: Readonly<Record<string, (input: unknown) => unknown>> = {
  [toolNames.context]: (input) => readInput('context', input),
  [toolNames.core]: (input) => readInput('core', input),
  [toolNames.lost]: (input) => readInput('lost', input),
  [toolNames.session]: readSessionInput,
  [toolNames.propose]: (input) => readInput('propose', input),
  [toolNames.recall]: readRecallInput,
  [toolNames.compact]: (input) => readInput('compact', input),
};

/** Rules between fields, which the schemas do not express. */
const together: Readonly<Record<string, (input: Readonly<Record<string, unknown>>) => boolean>> = {
  [toolNames.session]: ({ session, question }) => session === undefined || question !== undefined,
  [toolNames.recall]: ({ query, around, ids }) =>
    [query, around, ids].filter((asked) => asked !== undefined).length === 1,
};

function text(least: number, most: number): fc.Arbitrary<string> {
  return fc
    .string({ minLength: least, maxLength: Math.min(most, 60) })
    .filter((value) => value.trim() !== '' || value === '');
}

/** Values that the schema accepts, including its limits. */
function fitting({ type, enum: choices, ...limits }: Field): fc.Arbitrary<unknown> {
  if (choices) return fc.constantFrom(...choices);
  switch (type) {
    case 'string': {
      const { minLength = 0, maxLength = 60 } = limits;
      return fc.oneof(text(minLength, maxLength), fc.constant('x'.repeat(maxLength)));
    }
    case 'integer': {
      const { minimum = 0, maximum = 2 ** 31 } = limits;
      return fc.oneof(fc.integer({ min: minimum, max: maximum }), fc.constantFrom(minimum, maximum));
    }
    case 'array':
      return fc.array(fitting(limits.items ?? { type: 'string' }), {
        minLength: limits.minItems ?? 0,
        maxLength: limits.maxItems ?? 9,
        size: 'max',
      });
  }
}

/** Values that the schema rejects. */
function unfitting({ type, enum: choices, ...limits }: Field): fc.Arbitrary<unknown> {
  const others = fc.constantFrom<unknown>(true, {}, 1.5, [1], ...(type === 'string' ? [7, ['a']] : ['7', 'many']));
  if (choices) return fc.oneof(others, fc.constantFrom('', 'rule', 'Goal'));
  switch (type) {
    case 'string':
      return fc.oneof(others, fc.constant(''), fc.constant('x'.repeat((limits.maxLength ?? 0) + 1)));
    case 'integer':
      return fc.oneof(
        others,
        fc.constantFrom((limits.minimum ?? 0) - 1, ...(limits.maximum === undefined ? [] : [limits.maximum + 1])),
      );
    case 'array':
      return fc.oneof(
        others,
        fc.constant([]),
        fc.constant(['']),
        fc.constant(Array((limits.maxItems ?? 0) + 1).fill('a')),
      );
  }
}

function record(fields: Readonly<Record<string, fc.Arbitrary<unknown>>>, required: readonly string[]) {
  return fc.record(fields, { requiredKeys: [...required] }).map((value): Record<string, unknown> => ({ ...value }));
}

function takes(name: string, input: unknown): boolean {
  try {
    readers[name]?.(input);
    return true;
  } catch (error) {
    expect(error).toBeInstanceOf(ToolInputRefused);
    expect((error as Error).message).toMatch(new RegExp(`^${name}: .+\\.$`, 's'));
    return false;
  }
}

describe('the tools in package.json', () => {
  it('the tools in package.json are exactly the registered ones', () => {
    expect(tools.map(({ name }) => name).sort()).toEqual(Object.values(toolNames).sort());
    expect(Object.keys(readers).sort()).toEqual(Object.values(toolNames).sort());
  });

  it('the tools in package.json are the same as those of the MCP server', () => {
    const contributed = tools.map(({ name, modelDescription, inputSchema }) => [name, modelDescription, inputSchema]);
    const defined = contextTools.map(({ name, description, inputSchema }) => [name, description, inputSchema]);
    expect(contributed.sort()).toEqual(defined.sort());
  });

  for (const { name, inputSchema } of tools) {
    const { properties, required = [] } = inputSchema;
    const fields = Object.entries(properties);
    const isTogether = (input: Readonly<Record<string, unknown>>) => together[name]?.(input) ?? true;

    it(`${name} accepts what its schema accepts, except for the rules between fields`, () => {
      const inputs = record(Object.fromEntries(fields.map(([key, field]) => [key, fitting(field)])), required);
      fc.assert(fc.property(inputs, (input) => takes(name, input) === isTogether(input)));
    });

    it(`${name} refuses what its schema refuses`, () => {
      const whole = fields.map(([key, field]): [string, fc.Arbitrary<unknown>] => [key, fitting(field)]);
      const broken = fc.constantFrom(...fields).chain(([key, field]) => {
        const valid = record(Object.fromEntries(whole), required);
        return fc.tuple(valid, unfitting(field)).map(([input, value]) => ({ ...input, [key]: value }));
      });
      fc.assert(fc.property(broken, (input) => !takes(name, input)));
      for (const field of required) expect(takes(name, { ...sampleOf(properties), [field]: undefined })).toBe(false);
    });

    it(`${name} refuses unknown fields and input that is not an object`, () => {
      expect(inputSchema.additionalProperties).toBe(false);
      for (const input of [{ ...sampleOf(properties), other: 1 }, null, 'text', [], undefined]) {
        expect(takes(name, input)).toBe(false);
      }
    });
  }
});

function sampleOf(properties: Readonly<Record<string, Field>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(properties).map(([key, field]) => [key, fc.sample(fitting(field), { numRuns: 1, seed: 1 })[0]]),
  );
}

describe('an error about a tool’s input', () => {
  const refusal = (read: () => unknown): string => {
    try {
      read();
      return 'nothing was refused';
    } catch (error) {
      return error instanceof ToolInputRefused ? error.message : String(error);
    }
  };

  it('names the field, what it must be and what it is', () => {
    expect([
      refusal(() => readInput('propose', { kind: 'rule', text: 'No network.' })),
      refusal(() => readInput('propose', { kind: 'goal', text: ' ' })),
      refusal(() => readRecallInput({ ids: 'e1' })),
      refusal(() => readRecallInput({ query: 'a', ids: ['e1'] })),
      refusal(() => readSessionInput({ session: 'loader' })),
      refusal(() => readInput('compact', { why: 'done' })),
      refusal(() => readSessionInput({ maxTokens: '900' })),
    ]).toEqual([
      'strata_propose: "kind" must be one of goal, constraint, decision, but it is "rule".',
      'strata_propose: "text" must be a text, but it is empty.',
      'strata_recall: "ids" must be a list of 1 to 20 texts, but it is "e1".',
      'strata_recall: give exactly one of "query", "around" and "ids".',
      'strata_session: "question" must be what you want to know of the session, but it is missing.',
      'strata_compact: there is no field "why". Its fields are reason, session.',
      'strata_session: "maxTokens" must be a whole number from 100 to 8000, but it is "900".',
    ]);
  });

  it('treats null as a missing optional field', () => {
    expect(readRecallInput({ query: 'a', around: null, ids: null, session: null, maxTokens: null })).toEqual({
      question: { kind: 'search', query: 'a' },
      session: null,
      maxTokens: 2000,
    });
  });
});
