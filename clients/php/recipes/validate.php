<?php

// Validates a signed PDF, or a detached signature with its document: php validate.php signed.pdf [document]

declare(strict_types=1);

use Sinete\Sinete;

require getcwd() . '/vendor/autoload.php';

[, $signature] = $argv;
$sinete = new Sinete(getenv('SINETE_ADDRESS') ?: 'http://127.0.0.1:17171');
$verdict = $sinete->validate($signature, str_ends_with($signature, '.pdf') ? 'PAdES' : 'CAdES', $argv[2] ?? null);
echo 'signature: ', $verdict->signature['message'] ?? '', " ({$verdict->signature['code']})\n";
echo "trust: {$verdict->trust['code']}, revocation: {$verdict->crl['code']}, dates: {$verdict->date['code']}\n";
echo $verdict->valid ? "valid\n" : "not confirmed\n";
