/** The rules for every summary, worded for a prompt (docs/specification.md, "What every summary says"). */

export const mustPreserve = [
  'file paths, function names, variable names, commands and test names, spelled exactly',
  'error messages, verbatim; line numbers and figures that matter',
  'contents and not only names: the signature, value or line that was learned from a file or a command',
  'what is finished, so that it is not begun again',
  'what was asked and is not answered yet',
  'what the person wants, and every correction and change of direction',
  'constraints and preferences that still hold, in the person’s own words',
  'why each choice was made',
  'every abandoned approach, with the reason',
];

export const mustNotInclude = [
  'small talk, thanks, filler, announcements of what comes next',
  'what is obvious, or what the context shows anyway',
  'hedging of any kind ("it seems", "possibly", "I think"): state it or leave it out',
  'offers of help and apologies',
  'XML markup and role labels',
];

/** Also omitted from summaries of whole turns (docs/specification.md, `summary.omit`). */
export const mustNotIncludeOfArcs = [
  'details of steps that later steps made irrelevant',
  'how tools were called',
  'intermediate states that were overwritten',
];

export const mustUse = [
  'the first person throughout ("I tried", "I found", "I abandoned"), never "the agent"',
  'only what the quotations say: nothing invented, nothing guessed',
  'the language in which the person writes; headings and names stay as they are',
];

export function listed(title: string, items: readonly string[]): string {
  return [title, ...items.map((item) => `- ${item}`)].join('\n');
}
