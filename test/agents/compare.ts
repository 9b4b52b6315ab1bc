import { readFileSync } from 'node:fs';
import type { Entry, Usage } from '../../extension/engine/conversation/entry';
import type { LineFormat } from '../../extension/sessions/adapter';
import type { Agent } from './agent';
import type { Exchange } from './server/server';
import { type Spoken, saidIn } from './wire/context';
import { pictureOf, type Utterance } from './wire/utterance';

/** Requests of the conversation itself, without those of subagents and those for a summary or a title. */
export function turnsOf(exchanges: readonly Exchange[]): Exchange[] {
  return exchanges.filter(({ reply }) => reply.purpose === 'turn');
}

/** The content of a request, as far as a session file contains it. */
export function sentIn(agent: Agent, { request }: Exchange): string[] {
  return pictureOf(withoutPrompt(agent.asKept?.(request.said) ?? request.said));
}

/** A context of Strata in the same form. */
export function shownIn(agent: Agent, context: readonly Spoken[]): string[] {
  const said = withoutPrompt(saidIn(context));
  return pictureOf(agent.asShown?.(said) ?? said);
}

/** Some agents send instructions as separate messages before the first message. */
function withoutPrompt(said: readonly Utterance[]): readonly Utterance[] {
  const start = said.findIndex((one) => one.kind !== 'text' || one.role !== 'system');
  return said.slice(Math.max(start, 0));
}

/** The context as it was when the newest reply was requested. */
export function beforeNewestReply(context: readonly Entry[]): readonly Entry[] {
  const newest = context.findLastIndex(({ role }) => role === 'assistant');
  return context.slice(0, Math.max(newest, 0));
}

/** Every context that was shown while a file grew line by line, each as a text in the form of `shownIn`. */
export function contextsThroughout(agent: Agent, format: LineFormat, file: string): Set<string> {
  const builder = format.createBuilder(file);
  const shown = new Set<string>();
  for (const [index, text] of readFileSync(file, 'utf8').split('\n').entries()) {
    builder.accept({ number: index + 1, text });
    shown.add(shownIn(agent, builder.session().conversation.agentContext).join('\n'));
  }
  return shown;
}

/** Usage of the conversation's replies, and of summaries that Strata shows. No two are the same. */
export function reportedUsages(exchanges: readonly Exchange[], shown: readonly Usage[]): Usage[] {
  const isShown = (usage: Usage) => shown.some(({ output, input }) => output === usage.output && input === usage.input);
  return exchanges
    .filter(({ reply }) => reply.purpose === 'turn' || (reply.purpose === 'summary' && isShown(reply.usage)))
    .map(({ reply }) => reply.usage);
}

/** The lines of one picture that the other one does not have in the same order, each with its speaker. */
export function linesLost(shown: readonly string[], sent: readonly string[]): string[] {
  const lines = sent.flatMap(spokenLines);
  let at = 0;
  return shown.flatMap(spokenLines).filter((line) => {
    const found = lines.indexOf(line, at);
    if (found >= 0) at = found + 1;
    return found < 0;
  });
}

function spokenLines(utterance: string): string[] {
  const [speaker = ''] = utterance.split(': ');
  return utterance
    .slice(speaker.length + 2)
    .split('\n')
    .map((line) => `${speaker}: ${line}`);
}
export function shownUsages(entries: readonly Entry[]): Usage[] {
  return entries.flatMap(({ role, usage }) => (role === 'assistant' && usage !== undefined ? [usage] : []));
}
