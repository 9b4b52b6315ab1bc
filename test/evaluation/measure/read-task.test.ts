import { describe, expect, it } from 'vitest';
import { readTask, TaskInvalid } from '../../../extension/evaluation/measure/tasks/read-task';
import { smallTask, smallTaskFile } from '../../builders/evaluation-task';

type TaskFile = ReturnType<typeof smallTaskFile>;

function problems(change: (file: TaskFile) => unknown): string {
  const file = smallTaskFile();
  const changed = change(file) ?? file;
  try {
    readTask('shed.json', changed);
  } catch (error) {
    if (error instanceof TaskInvalid) return error.message;
    throw error;
  }
  return '';
}

describe('a task file', () => {
  it('a task file is accepted if its ground truth matches its turns', () => {
    expect(smallTask().constraints.map(({ id }) => id)).toEqual(['paint', 'budget', 'more']);
  });

  it('a task file is refused with file and position for a field of the wrong shape', () => {
    expect(problems((file) => ({ ...file, goals: [{ ...file.goals[0], signs: [] }] }))).toContain(
      'shed.json, at goals.0',
    );
    expect(problems((file) => ({ ...file, extra: 1 }))).toContain('shed.json, at extra');
    expect(problems(() => 'no object')).toContain('shed.json');
  });

  it('a task file is refused if a constraint was never said in these words', () => {
    const message = problems((file) => {
      const [paint] = file.constraints;
      if (paint) paint.said = 'Never paint the south wall.';
    });
    expect(message).toContain('constraints.0.said');
    expect(message).toContain('constraints.0.signs');
  });

  it('a task file is refused if its goals do not follow one another', () => {
    const message = problems((file) => ({ ...file, goals: file.goals.map((goal) => ({ ...goal, until: 'turn-30' })) }));
    expect(message).toContain('a goal must end where the next one is said');
  });

  it('a task file is refused if an option is ruled out by something that does not hold', () => {
    const message = problems((file) => {
      const option = file.actions[0]?.options[1] as { of?: string };
      option.of = 'budget';
    });
    expect(message).toContain('"budget" does not hold for the whole time in which this can be asked');
  });

  it('a task file is refused with fewer than sixty turns or an unused variable', () => {
    expect(problems((file) => ({ ...file, turns: file.turns.slice(0, 57) }))).toContain(
      'at least 60 turns; this one has 57',
    );
    expect(problems((file) => ({ ...file, variables: { ...file.variables, size: ['big'] } }))).toContain(
      'variables.size',
    );
  });

  it('a task file is refused if two options are right', () => {
    const message = problems((file) => {
      const option = file.actions[0]?.options[1] as { of?: string; verdict: string };
      delete option.of;
      option.verdict = 'aligned';
    });
    expect(message).toContain('exactly one option must be aligned');
  });
});
