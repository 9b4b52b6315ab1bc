import fc from 'fast-check';

/** Every run of the tests tries the same cases. `STRATA_TEST_SEED=random`, or a number, tries other cases. */
const seed = process.env.STRATA_TEST_SEED ?? '20261127';
if (seed !== 'random') fc.configureGlobal({ seed: Number(seed) });
