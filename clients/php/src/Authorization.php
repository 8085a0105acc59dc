<?php

declare(strict_types=1);

namespace Sinete;

/** An authorization that a person has not answered yet. Keep it in the person's session until then. */
final class Authorization
{
    /** @param string $url the person's browser goes here */
    public function __construct(
        public readonly string $url,
        public readonly string $state,
        public readonly string $verifier,
    ) {
    }
}
