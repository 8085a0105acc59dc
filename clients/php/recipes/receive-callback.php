<?php

// Receives callbacks and believes genuine ones only:
//   SINETE_WEBHOOK_SECRET=whsec_… php -S 127.0.0.1:8766 receive-callback.php
// Give http://127.0.0.1:8766/signed?tcn= as notification_callback, or register it as a webhook of the application.

declare(strict_types=1);

use Sinete\SineteError;
use Sinete\Webhook;

require getcwd() . '/vendor/autoload.php';

try {
    $body = Webhook::verify(getallheaders(), (string) file_get_contents('php://input'), (string) getenv('SINETE_WEBHOOK_SECRET'));
} catch (SineteError $error) {
    error_log("refused: {$error->getMessage()}");
    http_response_code(401);
    return;
}
// A real service stores the webhook-id and ignores repetitions. A notification is the transaction itself; a webhook has
// it in `data`.
[$kind, $transaction] = isset($body['data']) ? [$body['type'], $body['data']] : ['notification', $body];
error_log("genuine: {$kind} {$transaction['status']}");
http_response_code(204);
