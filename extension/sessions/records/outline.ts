import { entriesBefore } from '../../engine/conversation/before-compaction';
import { contextTokensOf } from '../../engine/conversation/entry';
import type { Line } from '../../platform/lines/line';
import { LineMender } from '../../platform/lines/line-mender';
import type { LineFormat, SessionBuilder, SessionOutline } from '../adapter';
import { contextWindowOf } from '../model-windows';
import type { ContextFill, ParsedSession } from '../session';

/**
 * The `summarise` of a format.
 * @param isUnlisted whether lists leave out a session, given as it was built from these lines
 */
export function outlineBy(
  createBuilder: () => SessionBuilder,
  isUnlisted: (session: ParsedSession, lines: readonly string[]) => boolean = () => false,
): LineFormat['summarise'] {
  return ({ head, tail, hasGap }) => {
    const texts = [...head, ...tail];
    const lines = texts.map((text, index) => ({ number: index + 1, text }));
    const builder = createBuilder();
    const mender = new LineMender();
    const accept = (some: readonly Line[]) => {
      for (const line of mender.take({ lines: some, faults: [] }).lines) builder.accept(line);
    };
    accept(lines.slice(0, head.length));
    const reportInHead = hasGap ? newestReport(builder.session()) : null;
    accept(lines.slice(head.length));
    const session = builder.session();
    const { fill, ...fields } = outlineFields(session);
    const isFromHead = reportInHead !== null && isSame(reportInHead, newestReport(session));
    return {
      ...fields,
      ...(fill === undefined ? {} : isFromHead ? { hasUnreadFill: true } : { fill }),
      ...(isUnlisted(session, texts) ? { isUnlisted: true } : {}),
    };
  };
}

/** The list entry of a session that was parsed completely or in part. */
export function outlineFields(session: ParsedSession): SessionOutline {
  const { id, cwd, title, awaitsReply, branch } = session;
  const fill = fillOf(session);
  return {
    ...{ id, cwd, title, awaitsReply },
    ...(branch === undefined ? {} : { branch }),
    ...(fill === null ? {} : { fill }),
    ...(session.predecessor?.byStrata ? { isFork: true } : {}),
  };
}

type FilledSession = Pick<ParsedSession, 'conversation' | 'model' | 'contextWindow'>;

/** As the newest reply reported it, or the compaction after that reply; null if neither says. Nothing is counted. */
export function fillOf({ conversation, model, contextWindow }: FilledSession): ContextFill | null {
  const { tokens } = newestReport({ conversation });
  return tokens > 0 ? { tokens, window: contextWindow ?? contextWindowOf(model) } : null;
}

/** A size of the context, and the reply or compaction that reported it. */
interface SizeReport {
  readonly by: string | undefined;
  readonly tokens: number;
}

function newestReport({ conversation }: Pick<ParsedSession, 'conversation'>): SizeReport {
  const compaction = conversation.agentCompactions.at(-1);
  const before = compaction === undefined ? null : entriesBefore(compaction, conversation);
  const { fork, entries } = conversation;
  const recent = fork === undefined ? conversation.agentContext : entries.slice(fork.entryCount);
  const newest = recent.findLast(({ id, usage }) => usage !== undefined && !before?.has(id));
  if (newest?.usage) return { by: newest.id, tokens: contextTokensOf(newest.usage) };
  return { by: compaction?.id, tokens: fork?.tokens ?? compaction?.tokensAfter ?? 0 };
}

/** A report after the gap may be about a reply before it, so the sizes are compared too. */
function isSame(one: SizeReport, other: SizeReport): boolean {
  return one.by === other.by && one.tokens === other.tokens;
}
