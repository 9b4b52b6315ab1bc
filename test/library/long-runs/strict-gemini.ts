import * as s from '../../../extension/platform/json/schemas';
import { geminiSignature } from '../../agents/server/gemini';
import type { ScriptedReply } from '../../agents/server/script';
import { StrictChat } from './strict-openai';
import type { Strictness } from './strict-server';

/**
 * The rules of Gemini for a conversation with tools. Sources: https://ai.google.dev/gemini-api/docs/thought-signatures
 * and .../docs/function-calling
 */
export class StrictGemini implements Strictness {
  readonly #issued = new Set<string>();

  /** `demands`: the calls of the current turn must have their signatures, as from Gemini 3 on. */
  constructor(private readonly demands: boolean) {}

  faults({ contents }: s.JsonRecord): string[] {
    const turns = mergedTurns(contents);
    const current = turns.findLastIndex(({ role, parts }) => role === 'user' && parts.some(isText));
    const faults = turns[0]?.role === 'user' ? [] : ['contents.0: is not of the user'];
    for (const [index, turn] of turns.entries()) {
      const found = [
        ...partFaults(turn),
        ...pairFaults(turn, turns[index - 1], turns[index + 1]),
        ...this.#signatureFaults(turn, index > current),
      ];
      faults.push(...found.map((fault) => `contents.${index}: ${fault}`));
    }
    return faults;
  }

  answered({ reasoning }: ScriptedReply): void {
    this.#issued.add(geminiSignature(reasoning));
  }

  #signatureFaults({ role, parts }: Turn, isCurrent: boolean): string[] {
    const call = parts.find(isCall);
    // In parallel calls, clients may sign all but the first with a placeholder that the API skips.
    const signed = parts.filter((part) => part.thoughtSignature !== undefined && (part === call || !isCall(part)));
    const wrong = signed.filter(({ thoughtSignature }) => !this.#issued.has(String(thoughtSignature)));
    const lacks = this.demands && isCurrent && role === 'model' && call !== undefined && !call.thoughtSignature;
    return [
      ...wrong.map(() => 'Thought signature is not valid'),
      ...(lacks ? ['Function call is missing a thought_signature in functionCall parts'] : []),
    ];
  }
}

interface Turn {
  readonly role: unknown;
  readonly parts: readonly s.JsonRecord[];
}

/** Merges turns, because clients send the results of parallel calls as one turn or as several. */
function mergedTurns(contents: unknown): Turn[] {
  const turns: { role: unknown; parts: s.JsonRecord[] }[] = [];
  for (const { role = 'user', parts: given } of s.jsonRecords(contents)) {
    const parts = s.jsonRecords(given);
    const last = turns.at(-1);
    if (last?.parts.every(isResult) && parts.length > 0 && parts.every(isResult)) last.parts.push(...parts);
    else turns.push({ role, parts });
  }
  return turns;
}

function isText({ text, thought }: s.JsonRecord): boolean {
  return typeof text === 'string' && thought !== true;
}

function isCall({ functionCall }: s.JsonRecord): boolean {
  return functionCall !== undefined;
}

function isResult({ functionResponse }: s.JsonRecord): boolean {
  return functionResponse !== undefined;
}

function partFaults({ role, parts }: Turn): string[] {
  return [
    ...(role === 'user' || role === 'model' ? [] : [`Please use a valid role: user, model; not ${role}`]),
    ...(parts.length === 0 ? ['parts must not be empty'] : []),
    ...(parts.some(({ text, thoughtSignature }) => text === '' && !thoughtSignature) ? ['empty text'] : []),
  ];
}

/** Checks that a turn with calls follows a turn of the user, and that the next turn has as many results. */
function pairFaults(turn: Turn, before: Turn | undefined, after: Turn | undefined): string[] {
  const calls = turn.parts.filter(isCall);
  const results = turn.parts.filter(isResult);
  const called = before?.parts.filter(isCall) ?? [];
  const answered = after?.parts.filter(isResult) ?? [];
  return [
    ...(calls.length > 0 && before?.role !== 'user'
      ? ['Please ensure that function call turn comes immediately after a user turn or after a function response turn']
      : []),
    ...(calls.length !== answered.length
      ? ['The number of function response parts must equal the number of function call parts of the function call turn']
      : []),
    ...(results.length > 0 && called.length === 0
      ? ['Please ensure that function response turn comes immediately after a function call turn']
      : []),
  ];
}

/** Gemini by OpenAI's Chat Completions: https://ai.google.dev/gemini-api/docs/openai */
export class StrictGeminiChat extends StrictChat {
  readonly #issued = new Set<string>();

  override faults(body: s.JsonRecord): string[] {
    const messages = s.jsonRecords(body.messages);
    const current = messages.findLastIndex(({ role }) => role === 'user');
    const unsigned = messages.slice(current + 1).filter(({ tool_calls }) => {
      const [first] = s.jsonRecords(tool_calls);
      return first !== undefined && !this.#issued.has(s.read(signedCall, first).extra_content.google.thought_signature);
    });
    const misplaced = messages.filter(
      ({ tool_calls }, index) => s.jsonRecords(tool_calls).length > 0 && messages[index - 1]?.role === 'assistant',
    );
    return [
      ...super.faults(body),
      ...unsigned.map(() => 'Function call is missing a thought_signature'),
      ...misplaced.map(() => 'Please ensure that function call turn comes immediately after a user turn'),
    ];
  }

  answered({ reasoning }: ScriptedReply): void {
    this.#issued.add(geminiSignature(reasoning));
  }
}

const signedCall = s.record({ extra_content: s.record({ google: s.record({ thought_signature: s.text }) }) });
