import type { PreparedRun } from '../../engine/run/prepare/prepared-run';
import { expectedWriting } from '../../engine/run/prepare/run-sizes';
import { type LocalizableText, listed, localizable } from '../../engine/wording/localizable-text';
import { tokensText } from '../../engine/wording/tokens-text';
import { costText, type TokenPrice } from '../../models/prices';

/** The tokens that a model would read and write: for a compaction of the open session, or for one block that is written again. */
export interface WritingSize {
  readonly of: 'compaction' | 'block';
  readonly sent: number;
  readonly written: number;
}

/** The tokens that a model would read and write for a run that was prepared without one; null if none. */
export function writingSize(run: PreparedRun): WritingSize | null {
  const size = expectedWriting(run);
  return size.sent === 0 ? null : { of: 'compaction', ...size };
}

/** The cost of a writer and where the text goes, shown before a person chooses it. */
export interface WriterTerms {
  readonly costs: LocalizableText;
  readonly goes: LocalizableText;
}

export function termsWithoutModel(): WriterTerms {
  return { costs: localizable('costs nothing'), goes: localizable('nothing leaves this machine') };
}

/** `hasSession`: the agent sent this session to its provider. */
export function termsOfCommand(
  {
    name,
    price,
    hasSession,
  }: { readonly name: string; readonly price: TokenPrice | null; readonly hasSession: boolean },
  size: WritingSize | null,
): WriterTerms {
  return {
    costs: listed([...spent(price, size), localizable('uses your sign-in and its quota')]),
    goes: hasSession
      ? localizable('the text goes to the provider of {0}, which has this session already', name)
      : localizable('the text goes to the provider of {0}', name),
  };
}

export function termsOfEditorModel(vendor: string, size: WritingSize | null): WriterTerms {
  return {
    costs: listed([...spent(null, size), localizable('{0} may charge for it', vendor)]),
    goes: localizable('the text goes to {0}, through VS Code', vendor),
  };
}

/** `host`: null on this machine. */
export function termsOfServer(
  { host, price }: { readonly host: string | null; readonly price: TokenPrice | null },
  size: WritingSize | null,
): WriterTerms {
  if (host === null) {
    const costs = listed([localizable('costs nothing'), ...spent(null, size)]);
    return { costs, goes: localizable('nothing leaves this machine') };
  }
  return {
    costs: listed([...spent(price, size), localizable('the server may charge for it')]),
    goes: localizable('the text goes to {0}', host),
  };
}

/** A server whose address the person has not entered yet. */
export function termsOfUnknownServer(price: TokenPrice | null, size: WritingSize | null): WriterTerms {
  return {
    costs: listed([...spent(price, size), localizable('the server may charge for it')]),
    goes: localizable('the text goes to the address that you enter'),
  };
}

/** A program of the person's own, which may do anything with the text. */
export function termsOfOwnCommand(size: WritingSize | null): WriterTerms {
  return {
    costs: listed([...spent(null, size), localizable('your command may charge for it')]),
    goes: localizable('the text goes where your command sends it'),
  };
}

/** The price comes first, because pickers cut off long texts. */
function spent(price: TokenPrice | null, size: WritingSize | null): LocalizableText[] {
  if (size === null) return [];
  const cost = costText(price, { input: size.sent, output: size.written });
  const [sent, written] = [tokensText(size.sent), tokensText(size.written)];
  const tokens =
    size.of === 'compaction'
      ? localizable('a compaction: up to {0} tokens read, about {1} written', sent, written)
      : localizable('this block: up to {0} tokens read, about {1} written', sent, written);
  return cost === null ? [tokens] : [cost, tokens];
}
