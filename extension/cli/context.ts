import { contextAsAnthropic } from '../middleware/anthropic';
import { contextAsOpenAi } from '../middleware/openai';
import { contextAsText } from '../middleware/text';
import { type JournalOptions, openInspection, openUncounted, print, printJson } from './opened';

type Format = 'text' | 'openai' | 'anthropic';

export async function showContext(file: string, options: JournalOptions & { format: Format }): Promise<void> {
  // Only text has the tokens of its messages in it, and counting takes most of the time of a large session.
  const open = options.format === 'text' ? openInspection : openUncounted;
  const { context } = await open(file, options);
  switch (options.format) {
    case 'text':
      return print(contextAsText(context));
    case 'openai':
      return printJson({ messages: contextAsOpenAi(context) });
    case 'anthropic':
      return printJson(contextAsAnthropic(context));
  }
}
