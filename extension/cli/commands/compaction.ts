import { type Command, Option } from 'commander';
import { verificationModes } from '../../engine/compaction/verify';
import { defaultStrategy } from '../../engine/run/prepare/registry';
import { ask } from '../ask';
import { compact } from '../compact';
import { compare } from '../compare';
import { redo, undo } from '../journal-commands';
import { summarizerOptions } from '../models';
import { listStrategies } from '../strategies';
import { several, wholeNumber } from './option-values';

export function addCompaction(program: Command): void {
  summarizerOptions(program.command('compact'))
    .description('compact a session’s context; the result is written to the journal')
    .summary('compact the context of a session, in its journal')
    .argument('<file>', 'session file')
    .option('--strategy <name>', 'how to compact; `strata strategies` lists all strategies', defaultStrategy)
    .option('--dry-run', 'show what would be done without writing anything')
    .option('--instructions <text>', 'what the summary should focus on')
    .option('--set <parameter=value>', 'a parameter of the strategy; can be given several times', several)
    .addOption(
      new Option('--verification <mode>', 'what to do with a summary that drops something')
        .choices(verificationModes)
        .default('repair'),
    )
    .option('--json', 'as JSON')
    .action((file, options) => compact(file, { ...program.opts(), ...options }));

  summarizerOptions(program.command('ask'))
    .description('ask a model the same questions with the context before and after a compaction; changes nothing')
    .summary('ask a model about the context before and after')
    .argument('<file>', 'session file')
    .option('--question <text>', 'a question of your own; can be given several times', several)
    .option('--no-standard', 'leave out the standard questions: goal, constraints, next step')
    .option('--strategy <name>', 'compare before and after this strategy; by default the compactions of the journal')
    .option('--dry-run', 'only print what it would cost')
    .option('-y, --yes', 'do not ask for confirmation')
    .option('--json', 'as JSON')
    .action((file, options) => ask(file, { ...program.opts(), ...options }));

  program
    .command('strategies')
    .description('list the strategies with their parameters')
    .option('--json', 'as JSON')
    .action(listStrategies);

  program
    .command('compare')
    .description('show what every strategy would do to a session, without a model and without writing anything')
    .summary('show what every strategy would do to a session')
    .argument('<file>', 'session file')
    .option('--json', 'as JSON')
    .action((file, options) => compare(file, { ...program.opts(), ...options }));

  program
    .command('undo')
    .description('undo the newest compaction, or the one with this number and the later ones on top of it')
    .summary('undo a compaction and the later ones on top of it')
    .argument('<file>', 'session file')
    .argument('[seq]', 'number of the compaction or of one of its blocks', wholeNumber)
    .action((file, seq) => undo(file, seq, program.opts()));

  program
    .command('redo')
    .description('revert the newest undo')
    .argument('<file>', 'session file')
    .action((file) => redo(file, program.opts()));
}
