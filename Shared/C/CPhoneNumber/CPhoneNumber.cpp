#include "CPhoneNumber.h"

#include <phonenumbers/phonenumberutil.h>

#include <cstring>
#include <string>

using i18n::phonenumbers::PhoneNumber;
using i18n::phonenumbers::PhoneNumberUtil;

/* Leaves out a 0 that makes a number invalid. The library does so only in countries that dial a 0 at home, but people
   write "(0)" elsewhere, too. */
static void strip_zero(const PhoneNumberUtil &util, PhoneNumber &number) {
    PhoneNumber stripped = number;
    stripped.set_italian_leading_zero(number.number_of_leading_zeros() > 1);
    stripped.set_number_of_leading_zeros(number.number_of_leading_zeros() - 1);
    if (!util.IsValidNumber(number) && util.IsValidNumber(stripped)) {
        number = stripped;
    }
}

int cphonenumber_read(const char *text, const char *region, char *e164, size_t size) {
    const PhoneNumberUtil &util = *PhoneNumberUtil::GetInstance();
    PhoneNumber number;
    if (util.Parse(text, region, &number) != PhoneNumberUtil::NO_PARSING_ERROR) {
        return CPHONENUMBER_NONE;
    }
    strip_zero(util, number);
    if (util.IsPossibleNumberWithReason(number) != PhoneNumberUtil::IS_POSSIBLE) {
        return CPHONENUMBER_NONE;
    }
    std::string formatted;
    util.Format(number, PhoneNumberUtil::E164, &formatted);
    if (formatted.size() >= size) {
        return CPHONENUMBER_NONE;
    }
    std::memcpy(e164, formatted.c_str(), formatted.size() + 1);
    return util.IsValidNumber(number) ? CPHONENUMBER_VALID : CPHONENUMBER_POSSIBLE;
}
