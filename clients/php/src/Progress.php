<?php

declare(strict_types=1);

namespace Sinete;

/** The progress of a signature. */
final class Progress
{
    /**
     * @param string $phase `uploading`, `approval`, `pin`, `signing` or `finished`; with `approval` and `pin` a person
     *                      must act in Sinete's window
     * @param int $sent bytes sent so far, of `$size`
     */
    public function __construct(
        public readonly string $phase,
        public readonly int $sent,
        public readonly int $size,
        public readonly int $signed,
        public readonly int $failed,
        public readonly int $documents,
    ) {
    }
}
