import { project, projectSent } from '../engine/conversation/projection';
import { TokenLedger } from '../engine/conversation/tokens';
import { overlayOf } from '../engine/journal/overlay';
import { contextAsAnthropic } from '../middleware/anthropic';
import { contextAsOpenAi } from '../middleware/openai';
import { contextTexts } from '../middleware/text';
import { printJson, printParagraphs } from './output';
import { type JournalOptions, openWithJournal } from './session-with-journal';

type Format = 'text' | 'openai' | 'anthropic';

export async function showContext(file: string, options: JournalOptions & { format: Format }): Promise<void> {
  const { current, journal } = await openWithJournal(file, options);
  const { conversation } = current.session;
  const overlay = overlayOf(journal.state, conversation);
  switch (options.format) {
    case 'text': {
      // The other formats contain no token counts, and counting takes most of the time for a large session.
      const { countWithO200k } = await import('../engine/conversation/tokenizer');
      return printParagraphs(contextTexts(project(conversation, overlay, new TokenLedger(countWithO200k))));
    }
    case 'openai':
      return printJson({ messages: contextAsOpenAi({ messages: projectSent(conversation, overlay) }) });
    case 'anthropic':
      return printJson(contextAsAnthropic({ messages: projectSent(conversation, overlay) }));
  }
}
