import type { Token, Tokens } from 'marked';
import { visibleText } from '../../../extension/protocol/visible-text';
import type { Budget } from './budget';
import type { Inline } from './tree';

/** The lexer resolves entities such as `&#x202e;`, so `visibleText` is applied again to its output. */
export function inlinesOf(tokens: readonly Token[] | undefined, budget: Budget): Inline[] {
  return budget.within(() => (tokens ?? []).flatMap((token) => inlineOf(token, budget)));
}

function inlineOf(token: Token, budget: Budget): Inline[] {
  budget.spend();
  switch (token.type) {
    case 'strong':
    case 'em':
    case 'del':
      return [{ kind: marks[token.type], children: inlinesOf(token.tokens, budget) }];
    case 'codespan':
      return [{ kind: 'code', text: visibleText(token.text) }];
    case 'br':
      return [{ kind: 'break' }];
    case 'link':
      return [{ kind: 'link', url: visibleText(token.href), children: inlinesOf(token.tokens, budget) }];
    case 'image':
      return [{ kind: 'image', text: visibleText(token.text), url: visibleText(token.href) }];
    case 'escape':
      return [{ kind: 'text', text: visibleText(token.text) }];
    case 'text':
      return textOf(token as Tokens.Text, budget);
    case 'checkbox':
      return [];
    default:
      return [{ kind: 'text', text: visibleText(token.raw) }];
  }
}

const marks = { strong: 'strong', em: 'emphasis', del: 'deleted' } as const;

function textOf(token: Tokens.Text, budget: Budget): Inline[] {
  return token.tokens ? inlinesOf(token.tokens, budget) : [{ kind: 'text', text: visibleText(token.text) }];
}
