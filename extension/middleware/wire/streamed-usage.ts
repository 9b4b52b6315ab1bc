import { type Answer, type ByteSource, bytesOf, isSuccess, withBytes } from '../../models/http/answer';
import { parsedJson } from '../../platform/json/json-text';
import * as s from '../../platform/json/schemas';
import { tooLongIn } from '../requests/too-long';
import { BodyBytes } from './body-bytes';
import { textOfAnswer } from './headers';
import { type Member, membersOf } from './json-text';

/** An answer, and whether its usage must be removed from it. */
export interface SentAnswer {
  readonly response: Answer;
  readonly addsUsage: boolean;
}

/**
 * Streams of OpenAI Chat Completions report usage only to requests with `stream_options.include_usage`. Adds it to a request, because
 * reported usage calibrates the estimates. Some servers refuse the field: they get the request once more without it,
 * and are not asked again.
 */
export class StreamedUsage {
  /** Origins of servers that refuse the field. */
  readonly #refusing = new Set<string>();

  async sent({ origin }: URL, body: BodyBytes, send: (body: BodyBytes) => Promise<Answer>): Promise<SentAnswer> {
    if (this.#refusing.has(origin)) return { response: await send(body), addsUsage: false };
    const response = await send(askingForUsage(body));
    const { status, headers } = response;
    if (status !== 400 && status !== 422) return { response, addsUsage: isSuccess(response) };
    const error = await bytesOf(response);
    if (!refusesField(await textOfAnswer(error, headers)))
      return { response: withBytes(response, error), addsUsage: false };
    this.#refusing.add(origin);
    return { response: await send(body), addsUsage: false };
  }
}

/** An error of another kind may quote the request. */
function refusesField(error: string): boolean {
  return /stream_options|include_usage/.test(error) && tooLongIn(error) === null;
}

const brace = '{'.charCodeAt(0);

const opening = new TextEncoder().encode('{"stream_options":{"include_usage":true},');

/** `body`: a JSON object with fields, and without `stream_options`. */
function askingForUsage(body: BodyBytes): BodyBytes {
  let start = 0;
  while (body.at(start) !== brace) start += 1;
  return new BodyBytes([opening, ...body.slices(start + 1)]);
}

const endOfEvent = /\r\n\r\n|\n\n|\r\r/g;

/** The event stream that a provider would send without `include_usage`. All other events keep their bytes. */
export function withoutUsage(source: ByteSource): ByteSource {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const encoder = new TextEncoder();
  let pending = '';
  const passed = (isOver: boolean): string => {
    const end = isOver ? pending.length : endOfEvents(pending);
    const events = pending.slice(0, end);
    pending = pending.slice(end);
    return events.includes('"usage"') ? eventsIn(events).map(eventWithoutUsage).join('') : events;
  };
  return {
    async read() {
      for (;;) {
        const { done, value } = await source.read();
        pending += decoder.decode(value, { stream: !done });
        const text = passed(done);
        if (text !== '') return { done: false, value: encoder.encode(text) };
        if (done) return { done, value: undefined };
      }
    },
    cancel: (reason) => source.cancel(reason),
  };
}

function endOfEvents(text: string): number {
  return [...text.matchAll(endOfEvent)].reduce((_, { 0: found, index }) => index + found.length, 0);
}

/** Each with what ends it. */
function eventsIn(text: string): string[] {
  const ends = [...text.matchAll(endOfEvent)].map(({ 0: found, index }) => index + found.length);
  return [...ends, text.length].map((end, at) => text.slice(ends[at - 1] ?? 0, end));
}

const chunk = s.record({ choices: s.list, usage: s.jsonRecord });

/** The chunk with usage has no choices; all chunks before it have `"usage": null`. */
function eventWithoutUsage(event: string): string {
  const [line, ...others] = [...event.matchAll(/^data: ?(.*)$/gm)];
  if (line === undefined || others.length > 0) return event;
  const [field, json = ''] = line;
  const given = s.read(s.jsonRecord, parsedJson(json));
  if (given === null || !('usage' in given)) return event;
  const { choices, usage } = s.read(chunk, given);
  if (usage !== null) return choices.length === 0 ? '' : event;
  const end = line.index + field.length;
  return `${event.slice(0, end - json.length)}${withoutMember(json, 'usage')}${event.slice(end)}`;
}

function withoutMember(json: string, name: string): string {
  const members: readonly Member[] = [...membersOf(json).values()];
  const at = members.findIndex((member) => member.name === name);
  const [before, member, after] = [members[at - 1], members[at], members[at + 1]];
  if (member === undefined) return json;
  if (after !== undefined) return json.slice(0, member.nameStart) + json.slice(after.nameStart);
  return json.slice(0, before?.value.end ?? member.nameStart) + json.slice(member.value.end);
}
