import { contextAsAnthropic } from '../middleware/anthropic';
import { contextAsOpenAi } from '../middleware/openai';
import { contextAsText } from '../middleware/text';
import { type JournalOptions, openInspection, print, printJson } from './opened';

type Format = 'text' | 'openai' | 'anthropic';

export async function showContext(file: string, options: JournalOptions & { format: Format }): Promise<void> {
  const { context } = await openInspection(file, options);
  switch (options.format) {
    case 'text':
      return print(contextAsText(context));
    case 'openai':
      return printJson({ messages: contextAsOpenAi(context) });
    case 'anthropic':
      return printJson(contextAsAnthropic(context));
  }
}
