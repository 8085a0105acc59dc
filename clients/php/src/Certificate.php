<?php

declare(strict_types=1);

namespace Sinete;

/** A certificate of the selected user. */
final class Certificate
{
    /**
     * @param bool $present false if its token is not plugged in
     * @param array<string, mixed> $raw the whole entry, new fields included
     */
    public function __construct(
        public readonly string $alias,
        public readonly string $source,
        public readonly bool $present,
        public readonly string $pem,
        public readonly array $raw,
    ) {
    }
}
