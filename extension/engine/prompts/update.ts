import { listed } from './rules';

/** Where a model finds the summaries that it continues: quoted in the prompt, or as messages of the conversation itself. */
export type MemoryPlace = 'quoted' | 'above';

const intros: Readonly<Record<MemoryPlace, string>> = {
  quoted:
    'Below, your memory so far is quoted, as you wrote it when the context was compacted before, and then the record of what happened since.',
  above:
    'The record begins with your memory so far, as you wrote it when the context was compacted before. What happened since follows it.',
};

/** The task of a summary that continues earlier ones. A summary of a summary would lose a rule in each generation. */
export function updateTask(place: MemoryPlace): string {
  return [intros[place], ...rules].join('\n');
}

const rules = [
  'Write the updated memory. It takes the place of both: you will have neither of them afterwards.',
  listed('Carry over from your memory so far:', [
    'every constraint, preference and correction of the person that still holds, in the same words, however old it is',
    'every abandoned approach with its reason, and every decision with its reason',
    'what is finished, in a line each, so that it is not begun again',
    'exact values, names, signatures and errors that the work can still need',
    'what was asked and is not answered yet',
  ]),
  listed('Change what the record changes:', [
    'what was in progress or planned and is done now is finished; a question that was answered is a decision',
    'a rule or decision that the person took back or replaced goes, and what replaced it stays, with the reason',
    'the state of the work and the next action are those at the end of the record, not those of your memory so far',
  ]),
  'What stands under "Not in the summary above" was added to your memory by a program: put it where it belongs, if it still holds.',
  'That an item is old or long is no reason to drop or to blur it: shorten first what later work made irrelevant. What your memory',
  'so far says and the record does not contradict is true.',
];
